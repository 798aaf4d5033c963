import { readFileSync } from 'node:fs';
import {
  KubeConfig,
  type KubernetesObject,
  KubernetesObjectApi,
  loadAllYaml,
  PatchStrategy,
} from '@kubernetes/client-node';

const config = new KubeConfig();
config.loadFromDefault();
const api = KubernetesObjectApi.makeApiClient(config);
const objects = loadAllYaml(readFileSync(process.argv[2] ?? '', 'utf8')) as (KubernetesObject | null)[];
for (const object of objects) {
  if (!object?.kind) continue;
  const [pretty, dryRun] = [undefined, undefined];
  const applied = await api.patch(object, pretty, dryRun, 'example', true, PatchStrategy.ServerSideApply);
  console.log(applied.kind, applied.metadata?.name);
}

import type { ConfigMapProjection, ConfigMapVolumeSource } from '@wherry/kubeapi';
import { actedOn, type MessageVerdicts } from '../../../pod/field-verdict.ts';
import type { PayloadSources } from '../../inputs/payload-sources.ts';
import {
  configMapData,
  fileModeDefault,
  keyedPayload,
  keyToPath,
  type Payload,
} from '../payload-files/payload.ts';
import { payloadPlugin } from '../payload-files/payload-plugin.ts';

const here = 'kubelet/execution/volumes/plugins/config-map';

const fields: MessageVerdicts<ConfigMapVolumeSource> = {
  name: actedOn(here),
  items: actedOn(here),
  defaultMode: actedOn(here),
  optional: actedOn(here),
};

/** The keys of a ConfigMap as files on disk. */
export const configMap = payloadPlugin({
  name: 'configMap',
  folder: 'configmap',
  supports: { ConfigMapVolumeSource: fields, KeyToPath: keyToPath },
  readsApi: () => true,
  medium: 'disk',
  payload: ({ defaultMode = fileModeDefault, ...source }, sources) =>
    configMapFiles(source, defaultMode, sources),
});

/** The files of a ConfigMap, alone or in a projected volume. Throws when it, or a listed key, is missing. */
export async function configMapFiles(
  { name = '', items, optional = false }: ConfigMapProjection,
  defaultMode: number,
  sources: PayloadSources,
): Promise<Payload> {
  const map = await sources.configMap(name);
  if (!map && !optional) throw new Error(`configmap "${name}" not found`);
  const data = configMapData(map);
  return keyedPayload({ name: `configmap ${name}`, items, optional, data, defaultMode });
}

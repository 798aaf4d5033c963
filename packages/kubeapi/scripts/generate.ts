/**
 * Writes src/generated/ from the facts of the Kubernetes API: message and field names, numbers, types, JSON names,
 * merge keys, list types, enumerations, defaults and the table of resources. The upstream prose stays behind.
 *
 *   node packages/kubeapi/scripts/generate.ts [MINOR.PATCH] [--into FOLDER]      (default 36.2: Kubernetes 1.36.2; needs Go)
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readGeneration, writeGenerated } from '../../../tools/generated.ts';
import { parseGoPackage } from './go-types.ts';
import { buildModel } from './model.ts';
import { downloadModule, packages, readGoFiles } from './sources.ts';
import { writeResources } from './write-resources.ts';
import { writeSchema } from './write-schema.ts';
import { writeTypes } from './write-types.ts';

const generation = readGeneration(import.meta.dirname, '36.2');
const release = generation.version;

const folders = new Map<string, string>();
function moduleFolder(name: string): string {
  const known = folders.get(name);
  if (known) return known;
  const folder = downloadModule(name, `v0.${release}`);
  folders.set(name, folder);
  return folder;
}

const model = buildModel(
  packages.map((source) => ({
    source,
    go: parseGoPackage(readGoFiles(join(moduleFolder(source.module), source.folder))),
  })),
);
const discovery = readFileSync(
  join(downloadModule('k8s.io/kubernetes', `v1.${release}`), 'api/discovery/aggregated_v2.json'),
  'utf8',
);
const coreDiscovery = readFileSync(
  join(downloadModule('k8s.io/kubernetes', `v1.${release}`), 'api/discovery/api__v1.json'),
  'utf8',
);

const outputs = {
  'schema.ts': writeSchema(model, packages),
  'types.ts': writeTypes(model),
  'resources.ts': writeResources(coreDiscovery, discovery, packages),
};
for (const [name, text] of Object.entries(outputs)) {
  writeGenerated(generation, { name, source: `Kubernetes 1.${release}`, text });
  console.log(`${name}: ${text.length} bytes`);
}

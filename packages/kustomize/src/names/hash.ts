/** The hash of what a generated object holds, as its name gets it (kustomize api/hasher). */
import { createHash } from 'node:crypto';
import { goJson, type JsonValue } from '@wherry/kubeapi';
import type { Resource } from '../model/resource.ts';
import type { ResourceList } from '../model/resource-list.ts';
import { at, type YamlNode } from '../yaml/node.ts';
import { toJson } from '../yaml/to-json.ts';

/** Letters for digits that could make words. */
const letters: ReadonlyMap<string, string> = new Map([
  ['0', 'g'],
  ['1', 'h'],
  ['3', 'k'],
  ['a', 'm'],
  ['e', 't'],
]);

/** Gives the names of generated objects their hash. */
export function addHashes(resources: ResourceList): void {
  for (const resource of resources.items) {
    if (!resource.needsHash) continue;
    const hash = contentHash(resource);
    resource.keepName();
    resource.setName(`${resource.name}-${hash}`);
  }
}

function contentHash(resource: Resource): string {
  const digest = createHash('sha256').update(hashedText(resource)).digest('hex');
  return [...digest.slice(0, 10)].map((digit) => letters.get(digit) ?? digit).join('');
}

/** The fields that count, in the order of their names. */
function hashedText({ kind, node }: Resource): string {
  // Upstream looks for the name where it is not, so that objects of one content have one hash.
  const name = '';
  const value = (field: string) => hashedValue(at(node, field));
  const optional = (field: string) => (at(node, field)?.kind === 'map' ? { [field]: value(field) } : {});
  if (kind === 'Secret')
    return goJson({ data: value('data'), kind, name, ...optional('stringData'), type: value('type') });
  if (kind === 'ConfigMap') return goJson({ ...optional('binaryData'), data: value('data'), kind, name });
  return goJson(byKeys(toJson(node)));
}

const hashedValue = (node: YamlNode | undefined): JsonValue =>
  node === undefined ? '' : node.kind === 'scalar' ? node.text : byKeys(toJson(node));

function byKeys(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map(byKeys);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1));
  return Object.fromEntries(entries.map(([key, part]) => [key, byKeys(part)]));
}

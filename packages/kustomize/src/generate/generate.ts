/** Makes ConfigMaps and Secrets, and puts them beside, over or into those that are there. */
import { KustomizeError, within } from '../errors.ts';
import type { Loader } from '../files/loader.ts';
import { idText, sameId } from '../model/object-id.ts';
import { type Behavior, Resource } from '../model/resource.ts';
import type { ResourceList } from '../model/resource-list.ts';
import { at, map, mapAt, text, textOf, type YamlNode } from '../yaml/node.ts';
import { type Pair, readSources, type Sources } from './sources.ts';

export interface GeneratorOptions {
  labels?: Record<string, string>;
  annotations?: Record<string, string>;
  disableNameSuffixHash?: boolean;
  immutable?: boolean;
}

export interface GeneratorEntry extends Sources {
  name?: string;
  namespace?: string;
  behavior?: string;
  /** Of a Secret; `Opaque` where none is said. */
  type?: string;
  options?: GeneratorOptions;
}

/** The options of one generator, and of all where it says none. */
export function mergedOptions(
  own: GeneratorOptions | undefined,
  all: GeneratorOptions | undefined,
): GeneratorOptions {
  return {
    labels: { ...all?.labels, ...own?.labels },
    annotations: { ...all?.annotations, ...own?.annotations },
    disableNameSuffixHash: (own?.disableNameSuffixHash ?? false) || (all?.disableNameSuffixHash ?? false),
    immutable: (own?.immutable ?? false) || (all?.immutable ?? false),
  };
}

export function generate(kind: 'ConfigMap' | 'Secret', entry: GeneratorEntry, loader: Loader): Resource {
  const { name = '', namespace = '', behavior = '', type = '', options = {} } = entry;
  if (name === '') throw new KustomizeError('a configmap must have a name');
  const node = map([
    ['apiVersion', text('v1')],
    ['kind', text(kind)],
    ['metadata', map([['name', text(name)]])],
  ]);
  const resource = new Resource(node);
  if (namespace !== '') resource.setNamespace(namespace);
  if (kind === 'Secret') node.fields.set('type', text(type || 'Opaque'));
  const values = uniquePairs(
    name,
    within('loading KV pairs', () => readSources(entry, loader)),
  );
  if (kind === 'Secret')
    node.fields.set('data', map([...values].map(([key, value]) => [key, encoded(value)])));
  else for (const [key, value] of values) setConfigMapValue(resource, key, value);
  for (const field of ['labels', 'annotations'] as const) {
    resource.setTexts(field, new Map(Object.entries(options[field] ?? {})));
  }
  if (options.immutable)
    node.fields.set('immutable', { kind: 'scalar', text: 'true', tag: '!!bool', isQuoted: false });
  resource.needsHash = !options.disableNameSuffixHash;
  resource.behavior = isBehavior(behavior) ? behavior : 'unspecified';
  return resource;
}

/** In the order of the keys. */
function uniquePairs(name: string, pairs: readonly Pair[]): Map<string, Uint8Array> {
  const values = new Map<string, Uint8Array>();
  for (const [key, value] of pairs) {
    if (values.has(key)) throw new KustomizeError(`configmap ${name} illegally repeats the key \`${key}\``);
    values.set(key, value);
  }
  return new Map([...values].sort(([one], [other]) => (one < other ? -1 : 1)));
}

const isBehavior = (word: string): word is Behavior => ['create', 'merge', 'replace'].includes(word);

const encoded = (value: Uint8Array): YamlNode => text(base64InLines(value));

/** Lines of 70 characters where there are several. */
function base64InLines(value: Uint8Array): string {
  const whole = Buffer.from(value).toString('base64');
  const lines = whole.match(/.{1,70}/g) ?? [];
  return whole.length >= 70 ? lines.map((line) => `${line}\n`).join('') : whole;
}

/** Texts go into `data`, other bytes into `binaryData`. */
function setConfigMapValue({ node }: Resource, key: string, value: Uint8Array): void {
  try {
    const read = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(value);
    mapAt(node, 'data').fields.set(key, text(read));
  } catch {
    mapAt(node, 'binaryData').fields.set(key, encoded(value));
  }
}

/** Throws KustomizeError where what the generator wants with an object that is there, or is not, can't be. */
export function absorb(resources: ResourceList, made: Resource): void {
  const { id, behavior } = made;
  const found = resources.withAnyId((other) => sameId(id, other));
  const [old] = found;
  if (!old) {
    if (behavior === 'merge' || behavior === 'replace')
      throw new KustomizeError(`id ${idText(id)} does not exist; cannot merge or replace`);
    resources.append(made);
    return;
  }
  if (found.length > 1)
    throw new KustomizeError(`found multiple objects that could accept merge of ${idText(id)}`);
  if (behavior !== 'merge' && behavior !== 'replace')
    throw new KustomizeError(
      `id ${idText(id)} exists; can not use behavior: '${behavior}', behavior must be merge or replace`,
    );
  takeOver(made, old);
  if (behavior === 'merge') {
    mergeData(made, old);
    made.origin = old.origin ?? made.origin;
  }
  resources.items[resources.items.indexOf(old)] = made;
}

/** What is made gets the name and all that is known of what it replaces. */
function takeOver(made: Resource, old: Resource): void {
  for (const field of ['labels', 'annotations'] as const)
    made.setTexts(field, new Map([...old.texts(field), ...made.texts(field)]));
  made.setName(old.name);
  made.setNamespace(old.namespace);
  made.formerNames = [...old.formerNames];
  made.prefixes = [...old.prefixes];
  made.suffixes = [...old.suffixes];
  made.variables = [...old.variables];
  made.transformations = [...old.transformations];
  made.origin ??= old.origin;
  made.behavior = old.behavior;
  made.needsHash = made.needsHash && old.needsHash;
}

function mergeData(made: Resource, old: Resource): void {
  const merged = new Map<string, string>();
  const values = (resource: Resource, field: string): [string, string][] => {
    const held = at(resource.node, field);
    return held?.kind === 'map' ? [...held.fields].map(([key, value]) => [key, textOf(value)]) : [];
  };
  for (const field of ['data', 'binaryData']) {
    merged.clear();
    for (const [key, value] of [...values(old, field), ...values(made, field)]) merged.set(key, value);
    made.node.fields.delete(field);
    if (merged.size > 0)
      made.node.fields.set(field, map([...merged].map(([key, value]) => [key, text(value)])));
  }
}

import type { DiscoveredResource, KubeClient, KubeObject } from '@wherry/client';
import { CommandError } from '../errors.ts';
import type { KubeFlags } from '../kube/flags.ts';
import { readLabelMatcher } from '../kube/label-selector.ts';
import { listedNamespace, refuseSelectors } from '../kube/scope.ts';
import { limits } from '../limits.ts';
import type { Failures } from '../output/failures.ts';
import { Catalog, withType } from './catalog.ts';
import { itemsInChunks } from './in-chunks.ts';
import { readManifests } from './manifests/manifests.ts';
import { namespaceOf } from './namespace-of.ts';
import { type NamedObject, parseTargets } from './targets.ts';

/** Flags that say which objects a verb is about, beside its words. */
export interface SelectFlags extends KubeFlags {
  filename?: readonly string[] | undefined;
  recursive?: boolean;
  selector?: string;
  fieldSelector?: string;
  all?: boolean;
  allNamespaces?: boolean;
  /** How many objects of a list are asked for at once; 0 for all. Default `limits.listChunkSize`. */
  chunkSize?: number;
}

/** All objects of a type that selectors leave. */
export interface Selection {
  resource: DiscoveredResource;
  /** Undefined for everywhere. */
  namespace: string | undefined;
}

/** An object as the server has it. */
export interface FoundObject extends NamedObject {
  object: KubeObject;
}

/** What words and flags mean: objects by their names, and selections. */
export interface Meant {
  named: NamedObject[];
  selections: Selection[];
}

/** What {@link meantObjects} and {@link findObjects} are told beside words and flags. */
export interface FindOptions {
  words: readonly string[];
  flags: SelectFlags;
  /** A type alone means all of its objects; else it takes `--all` or a selector. */
  isAllByDefault?: boolean;
  /** Are told what is no object in files; default: it is thrown. */
  failures?: Failures;
}

/** Said where nothing says which objects are meant. */
export const noneNamed =
  'You must provide one or more resources by argument or filename.\n' +
  'Example resource specifications include:\n' +
  "   '-f rsrc.yaml'\n   '--filename=rsrc.json'\n   '<resource> <name>'\n   '<resource>'";

/** Reads words and flags as kubectl's resource builder does. Throws `CommandError`, mostly in its words; also for labels beside a file. */
export async function meantObjects(client: KubeClient, options: FindOptions): Promise<Meant> {
  const { filename, selector } = options.flags;
  if (filename && selector !== undefined)
    throw new CommandError('a file names its objects; it goes without a label selector');
  return meantUnfiltered(client, options);
}

/** As {@link meantObjects}, those of files whatever labels they have. */
export async function meantUnfiltered(client: KubeClient, options: FindOptions): Promise<Meant> {
  const { words, flags, isAllByDefault = false } = options;
  if (flags.all && flags.selector !== undefined)
    throw new CommandError('cannot set --all and --selector at the same time');
  if (flags.filename) return { named: await namedByFiles(client, options), selections: [] };
  if (words.length === 0) throw new CommandError(noneNamed);
  const targets = parseTargets(words, await Catalog.of(client));
  const named = targets.flatMap(({ resource, names }) => {
    const namespace = resource.namespaced ? (flags.namespace ?? client.access.namespace) : undefined;
    return names.map((name) => ({ resource, name, namespace }));
  });
  if (named.length > 0) {
    refuseSelectors(flags, words);
    if (flags.allNamespaces)
      throw new CommandError('a resource cannot be retrieved by name across all namespaces');
    return { named, selections: [] };
  }
  const isSelected = isAllByDefault || flags.all || hasSelector(flags);
  if (!isSelected) throw new CommandError('resource(s) were provided, but no name was specified');
  const selections = targets.map(({ resource }) => {
    const namespace = resource.namespaced ? listedNamespace(client, flags) : undefined;
    return { resource, namespace };
  });
  return { named: [], selections };
}

const hasSelector = ({ selector, fieldSelector }: SelectFlags) =>
  selector !== undefined || fieldSelector !== undefined;

/** Throws `CommandError` for words beside files. */
export function refuseWords(words: readonly string[]): void {
  if (words.length === 0) return;
  throw new CommandError(
    words.every((word) => word.includes('/'))
      ? 'resource/name arguments cannot be provided when a path is specified'
      : 'when paths, URLs, or stdin is provided as input, you may not specify resource arguments as well',
  );
}

async function namedByFiles(
  client: KubeClient,
  { words, flags, failures }: FindOptions,
): Promise<NamedObject[]> {
  refuseWords(words);
  if (flags.allNamespaces || flags.fieldSelector !== undefined) {
    throw new CommandError('a file names its objects; it goes without a field selector and --all-namespaces');
  }
  const isRecursive = flags.recursive === true;
  const manifests = await readManifests(flags.filename ?? [], { isRecursive, failures });
  const catalog = await Catalog.of(client);
  return manifests.map((manifest) => {
    const resource = catalog.ofObject(manifest.object);
    const { name } = manifest.object.metadata;
    if (name === undefined) throw new CommandError(`${manifest.place}: resource name may not be empty`);
    return { resource, name, namespace: namespaceOf(manifest, resource, { flags, client }) };
  });
}

/**
 * The objects that words and flags mean, as the server has them now; those that can't be fetched are told to `failures`. Of objects of
 * files those whose labels at the server a selector finds.
 */
export async function findObjects(
  client: KubeClient,
  { failures, ...options }: FindOptions & { failures: Failures },
): Promise<FoundObject[]> {
  const meant = await meantUnfiltered(client, { ...options, failures });
  return fetchMeant(client, meant, { flags: options.flags, failures });
}

/** As {@link findObjects}, of what {@link meantUnfiltered} has found. */
export async function fetchMeant(
  client: KubeClient,
  { named, selections }: Meant,
  { flags, failures }: { flags: SelectFlags; failures: Failures },
): Promise<FoundObject[]> {
  const selected = readLabelMatcher((flags.filename && flags.selector) ?? '');
  const found: FoundObject[] = [];
  for (const one of named) {
    const object = await failures.attempt(client.resource<KubeObject>(one.resource).get(one));
    if (object && selected.matches(object.metadata?.labels)) found.push({ ...one, object });
  }
  for (const selection of selections) {
    const listed = await failures.attempt(listSelection(client, selection, flags));
    found.push(...(listed ?? []));
  }
  return found;
}

async function listSelection(
  client: KubeClient,
  { resource, namespace }: Selection,
  { selector, fieldSelector, chunkSize = limits.listChunkSize }: SelectFlags,
): Promise<FoundObject[]> {
  const query = { namespace, labelSelector: selector, fieldSelector };
  const items = await itemsInChunks(chunkSize, (part) =>
    client.resource<KubeObject>(resource).list({ ...query, ...part }),
  );
  return items.map((item) => ({
    resource,
    name: item.metadata?.name ?? '',
    namespace: item.metadata?.namespace,
    object: withType(resource, item),
  }));
}

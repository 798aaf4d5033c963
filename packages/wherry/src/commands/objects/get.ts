import { type DiscoveredResource, type KubeClient, type KubeObject, resourcePath } from '@wherry/client';
import { hasReason } from '@wherry/kubeapi';
import { CommandError } from '../../errors.ts';
import { clientFor } from '../../kube/flags.ts';
import { listedNamespace, nothingFound, refuseSelectors } from '../../kube/scope.ts';
import { Catalog, typeName, withType } from '../../objects/catalog.ts';
import { meantObjects, type SelectFlags } from '../../objects/find-objects.ts';
import { inChunks, itemsInChunks } from '../../objects/in-chunks.ts';
import { resourceOfKind } from '../../objects/of-kind.ts';
import { printedObject } from '../../objects/printed-object.ts';
import { fetchTable, type ServerTable, showTable, type TableStyle } from '../../objects/server-table.ts';
import { parseTargets, type Target, targetsOf } from '../../objects/targets.ts';
import { watchObjects } from '../../objects/watching/watch-objects.ts';
import { watchTable } from '../../objects/watching/watch-table.ts';
import { withinRequestTimeout } from '../../objects/watching/within-request-timeout.ts';
import { Failures, orSaid } from '../../output/failures.ts';
import { sortedBy } from '../../output/jsonpath/sort-by.ts';
import { print, printValue } from '../../output/listing.ts';
import { isValueFormat, type OutputFormat } from '../../output/output-format.ts';

/** Flags of `wherry get`. */
export interface GetFlags extends SelectFlags {
  output?: OutputFormat;
  watch?: boolean;
  /** Changes alone, without what is there. */
  watchOnly?: boolean;
  /** What each change of a watch is. */
  outputWatchEvents?: boolean;
  /** How many objects are asked for at once; 0 for all. */
  chunkSize: number;
  /** The type in front of each name. */
  showKind?: boolean;
  subresource?: string;
  /** False for `--server-print=false`: names and ages, made here. */
  serverPrint: boolean;
  /** False for `--no-headers`. */
  headers: boolean;
  showLabels?: boolean;
  labelColumns?: string[];
  showManagedFields?: boolean;
  sortBy?: string;
  ignoreNotFound?: boolean;
  /** A path of the server, in place of objects. */
  raw?: string;
}

/** Prints objects: as the server's table, or in the form asked for. */
export async function get(words: readonly string[], flags: GetFlags): Promise<void> {
  refuseContradictions(flags);
  const client = clientFor(flags);
  const failures = new Failures();
  const targets = flags.filename
    ? targetsOf((await meantObjects(client, { words, flags, failures })).named)
    : parseTargets(words, await Catalog.of(client));
  failures.report();
  if (targets.some(({ names }) => names.length > 0)) {
    refuseSelectors(flags, words);
    refuseEverywhere(flags);
  }
  if (flags.subresource !== undefined && targets.some(({ names }) => names.length === 0))
    throw new CommandError('subresource cannot be used when bulk resources are specified');
  if (flags.watch || flags.watchOnly) return watch(client, targets, flags);
  if (isValueFormat(flags.output) || flags.output === 'name') return printObjects(client, targets, flags);
  const answers: Answer[] = [];
  for (const target of targets) {
    const table = await tableOf(client, target, flags);
    if (table) answers.push({ resource: target.resource, table });
  }
  let printed = 0;
  for (const { resource, table } of answers) {
    if ((table.rows ?? []).length === 0) continue;
    // Rows alone are for programs.
    if (printed > 0 && flags.headers) console.log();
    print(showTable(sorted(table, flags), styleOf(resource, answers, flags)));
    printed += 1;
  }
  const isSaid = flags.ignoreNotFound || process.exitCode === 1;
  if (printed === 0 && !isSaid) console.error(nothingOf(client, targets, flags));
}

function refuseContradictions({ watch, watchOnly, outputWatchEvents, showLabels, output }: GetFlags): void {
  if (outputWatchEvents && !watch && !watchOnly)
    throw new CommandError('--output-watch-events option can only be used with --watch or --watch-only');
  if (showLabels && output !== undefined && output !== 'wide')
    throw new CommandError(`--show-labels option cannot be used with ${output} printer`);
}

function nothingOf(client: KubeClient, targets: readonly Target[], flags: GetFlags): string {
  const isNamespaced = targets.some(({ resource }) => resource.namespaced);
  return nothingFound(isNamespaced ? listedNamespace(client, flags) : undefined);
}

/** What the server has of one type. */
interface Answer {
  resource: DiscoveredResource;
  table: ServerTable;
}

/** `shown` are all that are printed: of one type alone no name needs the type in front. */
const styleOf = (
  resource: DiscoveredResource,
  shown: readonly Pick<Answer, 'resource'>[],
  flags: GetFlags,
): TableStyle => ({
  isWide: flags.output === 'wide',
  withNamespace: resource.namespaced && flags.allNamespaces === true,
  withLabels: flags.showLabels === true,
  labelColumns: flags.labelColumns ?? [],
  hasHeader: flags.headers,
  prefix:
    flags.showKind || new Set(shown.map((one) => one.resource)).size > 1 ? `${typeName(resource)}/` : '',
});

/** Undefined where the server has answered nothing: no object of these names is there, or the list was refused. */
async function tableOf(
  client: KubeClient,
  { resource, names, namespaces }: Target,
  flags: GetFlags,
): Promise<ServerTable | undefined> {
  const needsObjects = flags.sortBy !== undefined;
  const query = { ...selectors(flags), includeObject: needsObjects ? 'Object' : undefined };
  const asked = names.length === 0 ? [undefined] : names;
  const tables: ServerTable[] = [];
  for (const [index, name] of asked.entries()) {
    const namespace = namespaces ? namespaces[index] : listedNamespace(client, flags);
    const { subresource, serverPrint: isServers } = flags;
    const request = { resource, namespace, name, subresource, isServers };
    const asking =
      name === undefined
        ? inChunks(chunkSizeOf(flags), (part) =>
            fetchTable(client, { ...request, query: { ...query, ...part } }),
          )
        : fetchTable(client, { ...request, query }).then((table) => [table]);
    tables.push(...((await orSaid(orAbsent(asking, flags))) ?? []));
  }
  if (tables.length === 0) return undefined;
  return { kind: 'Table', ...tables[0], rows: tables.flatMap(({ rows = [] }) => rows) };
}

/** What is sorted is asked for at once, as kubectl does. */
const chunkSizeOf = ({ chunkSize, sortBy }: GetFlags) => (sortBy === undefined ? chunkSize : 0);

const selectors = ({ selector, fieldSelector }: GetFlags) => ({ labelSelector: selector, fieldSelector });

function refuseEverywhere(flags: GetFlags): void {
  if (flags.allNamespaces) {
    throw new CommandError('a resource cannot be retrieved by name across all namespaces');
  }
}

async function orAbsent<T>(asking: Promise<T>, flags: GetFlags): Promise<T | undefined> {
  try {
    return await asking;
  } catch (error) {
    if (flags.ignoreNotFound && hasReason(error, 'NotFound')) return undefined;
    throw error;
  }
}

function sorted(table: ServerTable, { sortBy }: GetFlags): ServerTable {
  if (sortBy === undefined) return table;
  return { ...table, rows: sortedBy(table.rows ?? [], sortBy, ({ object }) => object) };
}

async function printObjects(client: KubeClient, targets: readonly Target[], flags: GetFlags): Promise<void> {
  let found: { resource: DiscoveredResource; object: KubeObject }[] = [];
  for (const target of targets) {
    const { resource } = target;
    for (const object of await objectsOf(client, target, flags)) found.push({ resource, object });
  }
  if (flags.sortBy !== undefined) found = sortedBy(found, flags.sortBy, ({ object }) => object);
  const { output } = flags;
  if (output === 'name') {
    return print(
      found
        .map(({ resource, object }) => `${typeName(kindOf(resource, object))}/${object.metadata?.name}`)
        .join('\n'),
    );
  }
  const isOne = targets.length === 1 && targets[0]?.names.length === 1;
  const items = found.map(({ object }) => printedObject(object, flags));
  if (isOne && items.length === 0) return;
  const list = { apiVersion: 'v1', items, kind: 'List', metadata: { resourceVersion: '' } };
  printValue(isOne ? items[0] : list, isValueFormat(output) ? output : 'json');
}

/** A sub-resource may answer with an object of another kind, such as a Scale. */
const kindOf = (resource: DiscoveredResource, object: KubeObject): DiscoveredResource =>
  object.kind === undefined || object.kind === resource.kind ? resource : resourceOfKind(object);

async function objectsOf(
  client: KubeClient,
  { resource, names, namespaces }: Target,
  flags: GetFlags,
): Promise<KubeObject[]> {
  if (names.length > 0) {
    const found: KubeObject[] = [];
    const subresource = flags.subresource === undefined ? {} : { subresource: flags.subresource };
    for (const [index, name] of names.entries()) {
      const namespace = namespaces ? namespaces[index] : listedNamespace(client, flags);
      const object = await orSaid(
        orAbsent(client.resource(resource).get({ name, namespace, ...subresource }), flags),
      );
      if (object) found.push(object);
    }
    return found;
  }
  const namespace = listedNamespace(client, flags);
  const items = await orSaid(
    itemsInChunks(chunkSizeOf(flags), (part) =>
      client.resource(resource).list({ namespace, ...selectors(flags), ...part }),
    ),
  );
  return (items ?? []).map((item) => withType(resource, item));
}

async function watch(client: KubeClient, targets: readonly Target[], flags: GetFlags): Promise<void> {
  const [target, ...more] = targets;
  const count = targets.flatMap(({ names }) => names).length;
  if (count > 1) {
    throw new CommandError(
      `watch is only supported on individual resources and resource collections - ${count} resources were found`,
    );
  }
  if (!target || more.length > 0) throw new CommandError('you may only specify a single resource type');
  warnOfOrder(flags);
  const [name] = target.names;
  const fieldSelector = name === undefined ? flags.fieldSelector : `metadata.name=${name}`;
  const { resource } = target;
  const namespace = target.namespaces ? target.namespaces[0] : listedNamespace(client, flags);
  if (name !== undefined) {
    const there = await orAbsent(client.resource(resource).get({ name, namespace }), flags);
    if (!there) return;
  }
  const path = (query: object) =>
    resourcePath(resource, {
      namespace,
      query: { labelSelector: flags.selector, fieldSelector, ...query },
    });
  const { output, showManagedFields, watchOnly: isOnlyChanges, outputWatchEvents: withEvents } = flags;
  await withinRequestTimeout(flags, (signal) => {
    const watched = { path, isOnlyChanges, withEvents, signal };
    if (isValueFormat(output) || output === 'name')
      return watchObjects(client, { ...watched, resource, format: output, showManagedFields });
    const style = styleOf(resource, targets, flags);
    return watchTable(client, { ...watched, style, isServers: flags.serverPrint });
  });
}

function warnOfOrder({ sortBy, watch }: GetFlags): void {
  if (sortBy === undefined) return;
  console.error(
    watch
      ? 'warning: --watch requested, --sort-by will be ignored for watch events received'
      : 'warning: --watch-only requested, --sort-by will be ignored',
  );
}

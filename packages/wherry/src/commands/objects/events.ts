import { type KubeClient, kinds } from '@wherry/client';
import { systemClock } from '@wherry/clock';
import type { Event } from '@wherry/kubeapi';
import { CommandError } from '../../errors.ts';
import { clientFor, type KubeFlags } from '../../kube/flags.ts';
import { listedNamespace } from '../../kube/scope.ts';
import { limits } from '../../limits.ts';
import { Catalog } from '../../objects/catalog.ts';
import { itemsInChunks } from '../../objects/in-chunks.ts';
import { parseTargets } from '../../objects/targets.ts';
import { formatAge } from '../../output/age.ts';
import { type Column, print, printListing } from '../../output/listing.ts';
import { isValueFormat, type OutputFormat } from '../../output/output-format.ts';
import { formatTable } from '../../output/table.ts';

/** Flags of `wherry events`. */
export interface EventsFlags extends KubeFlags {
  allNamespaces?: boolean;
  /** `TYPE/NAME`. */
  for?: string;
  types?: string[];
  watch?: boolean;
  output?: OutputFormat;
}

/** Prints events, the oldest first; with `watch` goes on with those that come. */
export async function events(flags: EventsFlags): Promise<void> {
  const types = flags.types?.map((type) => type.toLowerCase());
  if (types?.some((type) => type !== 'normal' && type !== 'warning')) {
    throw new CommandError('valid --types are Normal or Warning');
  }
  const { output, watch } = flags;
  if (watch && (isValueFormat(output) || output === 'name')) {
    throw new CommandError('--watch shows a table; of -o it takes wide alone');
  }
  const isMeant = ({ type = '' }: Event) => !types || types.includes(type.toLowerCase());
  const client = clientFor(flags);
  const namespace = listedNamespace(client, flags);
  const fieldSelector = flags.for === undefined ? undefined : await selectorFor(client, flags.for);
  const listed = await findEvents(client, { namespace, fieldSelector });
  const items = listed.filter(isMeant);
  const columns = columnsOf(flags.allNamespaces === true);
  if (watch) return follow(client, { listed, isMeant, columns, namespace, fieldSelector, output });
  if (items.length === 0 && !isValueFormat(output)) {
    console.error(
      namespace === undefined ? 'No events found.' : `No events found in ${namespace} namespace.`,
    );
    return;
  }
  const nameOf = ({ metadata }: Event) => `event/${metadata.name}`;
  printListing({ items, columns, nameOf }, output);
}

interface Followed {
  /** What was there before. */
  listed: readonly Event[];
  isMeant(event: Event): boolean;
  columns: readonly Column<Event>[];
  namespace: string | undefined;
  fieldSelector: string | undefined;
  output: OutputFormat | undefined;
}

/** Prints what is there and then a row for each event that comes or comes again, until the process is interrupted. */
async function follow(client: KubeClient, followed: Followed): Promise<void> {
  const { listed, isMeant, namespace, fieldSelector, output } = followed;
  const columns = followed.columns.filter(({ wide }) => !wide || output === 'wide');
  const header = columns.map(({ title }) => title);
  const rowOf = (event: Event) => columns.map(({ cell }) => cell(event));
  const first = listed.filter(isMeant).map(rowOf);
  const toneOf = (title: string, cell: string) =>
    columns.find((column) => column.title === title)?.tone?.(cell);
  // Columns are as wide as most events need, and grow with those that come.
  let widest = header.map((title) => ' '.repeat(usualWidths.get(title) ?? 0));
  const widen = (row: string[]) => {
    widest = row.map((cell, column) =>
      cell.length > (widest[column]?.length ?? 0) ? cell : widest[column]!,
    );
  };
  for (const row of [header, ...first]) widen(row);
  print(formatTable(header, first, { toneOf, alignedWith: [widest] }));
  // The watch begins with what is there.
  const known = new Set(listed.map(versionOf));
  const select = { namespace, allNamespaces: namespace === undefined, fieldSelector };
  await client.followUntil(
    kinds.events,
    (change) => {
      if (change.type !== 'ADDED' && change.type !== 'MODIFIED') return false;
      const event = change.object;
      if (known.has(versionOf(event)) || !isMeant(event)) return false;
      const row = rowOf(event);
      widen(row);
      print(formatTable(header, [row], { hasHeader: false, alignedWith: [widest], toneOf }));
      return false;
    },
    select,
  );
}

const usualWidths = new Map([
  ['LAST SEEN', 18],
  ['TYPE', 7],
  ['REASON', 18],
  ['OBJECT', 28],
]);

const versionOf = ({ metadata }: Event): string => `${metadata.uid} ${metadata.resourceVersion}`;

/** Which events {@link findEvents} finds. */
export interface EventsWanted {
  namespace: string | undefined;
  fieldSelector: string | undefined;
  /** How many are asked for at once; 0 for all. Default `limits.listChunkSize`. */
  chunkSize?: number;
}

/** Events that the selector leaves, the oldest first. */
export async function findEvents(
  client: KubeClient,
  { chunkSize = limits.listChunkSize, ...query }: EventsWanted,
): Promise<Event[]> {
  const items = await itemsInChunks(chunkSize, (part) =>
    client.resource<Event>(kinds.events).list({ ...query, ...part }),
  );
  return items.sort((one, other) => lastSeenMs(one) - lastSeenMs(other));
}

async function selectorFor(client: KubeClient, text: string): Promise<string> {
  const [target] = parseTargets([text.includes('/') ? text : `pod/${text}`], await Catalog.of(client));
  return `involvedObject.kind=${target?.resource.kind},involvedObject.name=${target?.names[0]}`;
}

function lastSeenMs({ series, lastTimestamp, eventTime, metadata }: Event): number {
  const time = series?.lastObservedTime ?? lastTimestamp ?? eventTime ?? metadata.creationTimestamp;
  return time ? Date.parse(time) : 0;
}

/** When it was seen last, how often, and since when. */
export function lastSeen(event: Event, nowMs = systemClock.nowMs()): string {
  const age = formatAge(nowMs - lastSeenMs(event));
  const count = event.series?.count ?? event.count ?? 1;
  if (count <= 1) return age;
  const first = event.firstTimestamp ?? event.eventTime ?? event.metadata.creationTimestamp;
  return `${age} (x${count} over ${first ? formatAge(nowMs - Date.parse(first)) : '<unknown>'})`;
}

const columnsOf = (withNamespace: boolean): Column<Event>[] => [
  ...(withNamespace ? [{ title: 'NAMESPACE', cell: ({ metadata }: Event) => metadata.namespace ?? '' }] : []),
  { title: 'LAST SEEN', cell: (event) => lastSeen(event) },
  {
    title: 'TYPE',
    cell: ({ type = '' }) => type,
    tone: (cell) => (cell === 'Warning' ? 'warning' : undefined),
  },
  { title: 'REASON', cell: ({ reason = '' }) => reason },
  {
    title: 'OBJECT',
    cell: ({ involvedObject }) => `${involvedObject.kind?.toLowerCase()}/${involvedObject.name}`,
  },
  {
    title: 'SOURCE',
    wide: true,
    cell: ({ source, reportingComponent }) => source?.component ?? reportingComponent ?? '',
  },
  { title: 'MESSAGE', cell: ({ message = '' }) => message.trim() },
];

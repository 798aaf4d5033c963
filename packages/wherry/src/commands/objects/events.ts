import { type KubeClient, kinds } from '@wherry/client';
import { systemClock } from '@wherry/clock';
import type { Event } from '@wherry/kubeapi';
import { CommandError } from '../../errors.ts';
import { clientFor, type KubeFlags } from '../../kube/flags.ts';
import { listedNamespace } from '../../kube/scope.ts';
import { Catalog } from '../../objects/catalog.ts';
import { parseTargets } from '../../objects/targets.ts';
import { formatAge } from '../../output/age.ts';
import { type Column, printListing } from '../../output/listing.ts';
import { isValueFormat, type OutputFormat } from '../../output/output-format.ts';

/** Flags of `wherry events`. */
export interface EventsFlags extends KubeFlags {
  allNamespaces?: boolean;
  /** `TYPE/NAME`. */
  for?: string;
  types?: string[];
  output?: OutputFormat;
}

/** Prints events, the oldest first. */
export async function events(flags: EventsFlags): Promise<void> {
  const types = flags.types?.map((type) => type.toLowerCase());
  if (types?.some((type) => type !== 'normal' && type !== 'warning')) {
    throw new CommandError('valid --types are Normal or Warning');
  }
  const client = clientFor(flags);
  const namespace = listedNamespace(client, flags);
  const fieldSelector = flags.for === undefined ? undefined : await selectorFor(client, flags.for);
  const items = (await findEvents(client, { namespace, fieldSelector })).filter(
    ({ type = '' }) => !types || types.includes(type.toLowerCase()),
  );
  if (items.length === 0 && !isValueFormat(flags.output)) {
    console.error(
      namespace === undefined ? 'No events found.' : `No events found in ${namespace} namespace.`,
    );
    return;
  }
  const nameOf = ({ metadata }: Event) => `event/${metadata.name}`;
  printListing({ items, columns: columnsOf(flags.allNamespaces === true), nameOf }, flags.output);
}

/** Events that the selector leaves, the oldest first. */
export async function findEvents(
  client: KubeClient,
  options: { namespace?: string | undefined; fieldSelector?: string | undefined },
): Promise<Event[]> {
  const { items } = await client.resource<Event>(kinds.events).listAll(options);
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

import { type KubeClient, kinds } from '@wherry/client';
import type { Event } from '@wherry/kubeapi';
import { objectPrinter } from '../../../objects/watching/watch-objects.ts';
import { type Column, print } from '../../../output/listing.ts';
import { isValueFormat, type OutputFormat } from '../../../output/output-format.ts';
import { formatTable } from '../../../output/table.ts';
import { toneIn } from './columns.ts';

/** Which events are followed, and how they are shown. */
export interface FollowedEvents {
  /** What was there before. */
  listed: readonly Event[];
  isMeant(event: Event): boolean;
  columns: readonly Column<Event>[];
  namespace: string | undefined;
  fieldSelector: string | undefined;
  output: OutputFormat | undefined;
  hasHeader: boolean;
  /** An event as `-o` shows it. */
  shown(event: Event): Event;
  /** Ends it, by its reason. */
  signal?: AbortSignal | undefined;
}

/** Prints what is there and then each event that comes or comes again, until the process is interrupted or the signal aborts. */
export async function followEvents(client: KubeClient, followed: FollowedEvents): Promise<void> {
  const { listed, isMeant, namespace, fieldSelector, signal } = followed;
  const tell = tellerOf(followed);
  tell(listed.filter(isMeant));
  // The watch begins with what is there.
  const known = new Set(listed.map(versionOf));
  const select = { namespace, allNamespaces: namespace === undefined, fieldSelector, signal };
  await client.followUntil(
    kinds.events,
    (change) => {
      if (change.type !== 'ADDED' && change.type !== 'MODIFIED') return false;
      const event = change.object;
      if (!known.has(versionOf(event)) && isMeant(event)) tell([event]);
      return false;
    },
    select,
  );
}

const versionOf = ({ metadata }: Event): string => `${metadata.uid} ${metadata.resourceVersion}`;

/** What prints those that are there, and then one after the other. */
function tellerOf({ output, columns, hasHeader, shown }: FollowedEvents): (some: readonly Event[]) => void {
  if (!isValueFormat(output) && output !== 'name') return rowTeller(columns, hasHeader);
  const tell = objectPrinter(output, kinds.events);
  return (some) => {
    for (const event of some) tell(shown(event), undefined);
  };
}

/** Columns are as wide as most events need, and grow with those that come. */
function rowTeller(columns: readonly Column<Event>[], hasHeader: boolean): (some: readonly Event[]) => void {
  const header = columns.map(({ title }) => title);
  let widest = header.map((title) => ' '.repeat(usualWidths.get(title) ?? 0));
  let isFirst = true;
  return (some) => {
    const rows = some.map((event) => columns.map(({ cell }) => cell(event)));
    for (const row of hasHeader ? [header, ...rows] : rows)
      widest = row.map((cell, at) => (cell.length > (widest[at]?.length ?? 0) ? cell : widest[at]!));
    const style = { hasHeader: hasHeader && isFirst, alignedWith: [widest], toneOf: toneIn(columns) };
    isFirst = false;
    print(formatTable(header, rows, style));
  };
}

const usualWidths = new Map([
  ['LAST SEEN', 18],
  ['TYPE', 7],
  ['REASON', 18],
  ['OBJECT', 28],
]);

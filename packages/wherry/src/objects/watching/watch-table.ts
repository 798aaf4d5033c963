import type { KubeClient } from '@wherry/client';
import type { Clock } from '@wherry/clock';
import { print } from '../../output/listing.ts';
import {
  objectAccept,
  plainTable,
  type ServerTable,
  showTable,
  type TableStyle,
  tableAccept,
} from '../server-table.ts';
import { followList } from './follow-list.ts';

/** How what is watched is told, beside its form. */
export interface WatchStyle {
  /** Changes alone, without what is there at the beginning. */
  isOnlyChanges?: boolean | undefined;
  /** What each change is; what is there at the beginning is `ADDED`. */
  withEvents?: boolean | undefined;
  /** Ends the watch, by its reason. */
  signal?: AbortSignal | undefined;
}

/** What is watched, and how it is shown. */
export interface WatchedTable extends WatchStyle {
  /** The path of list and watch with these parameters added. */
  path(query: object): string;
  style: TableStyle;
  /** False for names and ages alone, made here. Default true. */
  isServers?: boolean | undefined;
  /** Default: the system's. */
  clock?: Clock | undefined;
}

/** Prints a table, and a line for each change of it, as {@link followList} goes. */
export async function watchTable(
  client: Pick<KubeClient, 'request' | 'stream'>,
  { path, style, isServers = true, isOnlyChanges = false, withEvents = false, signal, clock }: WatchedTable,
): Promise<void> {
  let first: ServerTable | undefined;
  let { hasHeader } = style;
  const show = (type: string, table: ServerTable, alignedWith?: ServerTable) => {
    const event = withEvents ? type : undefined;
    print(showTable(table, { ...style, hasHeader, event, ...(alignedWith ? { alignedWith } : {}) }));
    hasHeader = false;
  };
  const asTable = (answer: ServerTable) => (answer.kind === 'Table' ? answer : plainTable(answer));
  await followList<ServerTable, ServerTable>(client, {
    ...{ path, signal, clock },
    accept: isServers ? tableAccept : objectAccept,
    onList(list) {
      const isBeginning = first === undefined;
      first = asTable(list);
      if (isBeginning && isOnlyChanges) first = { ...first, rows: [] };
      else if ((first.rows ?? []).length > 0 || !hasHeader) show('ADDED', first);
    },
    onChange(type, change) {
      const table = asTable(change);
      if ((table.rows ?? []).length === 0) return;
      // Servers tell of the columns at the beginning alone.
      const columnDefinitions = table.columnDefinitions ?? first?.columnDefinitions ?? [];
      show(type, { ...table, columnDefinitions }, first);
    },
  });
}

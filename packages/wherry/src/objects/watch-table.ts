import { createInterface } from 'node:readline';
import { Readable } from 'node:stream';
import type { KubeClient } from '@wherry/client';
import { sleep, systemClock } from '@wherry/clock';
import { limits } from '../limits.ts';
import { print } from '../output/listing.ts';
import { type ServerTable, showTable, type TableStyle, tableAccept } from './server-table.ts';

/** What is watched, and how it is shown. */
export interface WatchedTable {
  /** The path of list and watch with these parameters added. */
  path(query: object): string;
  style: TableStyle;
}

interface TableEvent {
  type: string;
  object: ServerTable & { message?: string };
}

/** Prints a table, and a line for each change of it, until the watch ends or the process is interrupted. */
export async function watchTable(client: KubeClient, { path, style }: WatchedTable): Promise<void> {
  const headers = { accept: tableAccept };
  const first = await client.request<ServerTable>({ method: 'GET', path: path({}), headers });
  print(showTable(first, style));
  let resourceVersion = first.metadata?.resourceVersion;
  for (;;) {
    const query = { watch: true, resourceVersion, allowWatchBookmarks: true };
    const answer = await client.stream({ method: 'GET', path: path(query), headers });
    for await (const line of createInterface({ input: Readable.from(answer.body) })) {
      const { type, object } = JSON.parse(line) as TableEvent;
      // The version is too old by now: what is there is shown anew.
      if (type === 'ERROR') return watchTable(client, { path, style: { ...style, hasHeader: false } });
      resourceVersion = object.metadata?.resourceVersion ?? resourceVersion;
      if (type === 'BOOKMARK' || (object.rows ?? []).length === 0) continue;
      const change = {
        ...object,
        columnDefinitions: object.columnDefinitions ?? first.columnDefinitions ?? [],
      };
      print(showTable(change, { ...style, hasHeader: false, alignedWith: first }));
    }
    await sleep({ clock: systemClock, delayMs: limits.watchPauseMs });
  }
}

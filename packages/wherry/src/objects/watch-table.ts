import { ClientError, type HttpAnswer, type KubeClient, splitLines } from '@wherry/client';
import { type Clock, sleep, systemClock } from '@wherry/clock';
import { StatusError } from '@wherry/kubeapi';
import { limits } from '../limits.ts';
import { print } from '../output/listing.ts';
import { type ServerTable, showTable, type TableStyle, tableAccept } from './server-table.ts';

/** What is watched, and how it is shown. */
export interface WatchedTable {
  /** The path of list and watch with these parameters added. */
  path(query: object): string;
  style: TableStyle;
  /** Default: the system's. */
  clock?: Clock;
}

interface TableEvent {
  type: string;
  object: ServerTable & { message?: string };
}

const headers = { accept: tableAccept };

/**
 * Prints a table, and a line for each change of it, until the process is interrupted. A watch that ends or is torn is taken up
 * again; throws when the server has been away for `limits.watchOutageMs`, and what it refuses with.
 */
export async function watchTable(
  client: Pick<KubeClient, 'request' | 'stream'>,
  { path, style, clock = systemClock }: WatchedTable,
): Promise<void> {
  let shown = style;
  for (;;) {
    const first = await client.request<ServerTable>({ method: 'GET', path: path({}), headers });
    print(showTable(first, shown));
    await followTable(client, { path, clock, first, style: { ...style, hasHeader: false } });
    // Its version is too old by now: what is there is shown anew.
    shown = { ...style, hasHeader: false };
    await sleep({ clock, delayMs: limits.watchPauseMs });
  }
}

interface Followed extends Required<WatchedTable> {
  first: ServerTable;
}

/** Resolves when the server no longer knows the version that the changes begin with. */
async function followTable(
  client: Pick<KubeClient, 'stream'>,
  { path, clock, first, style }: Followed,
): Promise<void> {
  let resourceVersion = first.metadata?.resourceVersion;
  let awaySinceMs: number | undefined;
  for (;;) {
    try {
      const query = { watch: true, resourceVersion, allowWatchBookmarks: true };
      const answer = await client.stream({ method: 'GET', path: path(query), headers });
      awaySinceMs = undefined;
      for await (const { type, object } of eventsOf(answer)) {
        if (type === 'ERROR') return;
        resourceVersion = object.metadata?.resourceVersion ?? resourceVersion;
        if (type === 'BOOKMARK' || (object.rows ?? []).length === 0) continue;
        const columnDefinitions = object.columnDefinitions ?? first.columnDefinitions ?? [];
        print(showTable({ ...object, columnDefinitions }, { ...style, alignedWith: first }));
      }
    } catch (error) {
      if (error instanceof StatusError && error.code === gone) return;
      awaySinceMs ??= clock.monotonicMs();
      if (!isAway(error) || clock.monotonicMs() - awaySinceMs > limits.watchOutageMs) throw error;
    }
    await sleep({ clock, delayMs: limits.watchPauseMs });
  }
}

const gone = 410;
const serverErrorMin = 500;

/** Nobody is there, or somebody who is not yet, or no longer, able to answer. */
const isAway = (error: unknown): boolean =>
  error instanceof StatusError
    ? error.code >= serverErrorMin
    : error instanceof ClientError && error.code === 'unreachable';

/** The events of a watch; ends with its connection, however that ended. */
async function* eventsOf({ body }: HttpAnswer): AsyncGenerator<TableEvent> {
  const lines = splitLines(body, { bytesMax: limits.watchEventBytesMax });
  for (;;) {
    let next: IteratorResult<Uint8Array>;
    try {
      next = await lines.next();
    } catch (error) {
      if (error instanceof ClientError) throw error;
      return;
    }
    if (next.done) return;
    yield JSON.parse(Buffer.from(next.value).toString('utf8')) as TableEvent;
  }
}

import { ClientError, type HttpAnswer, type KubeClient, splitLines } from '@wherry/client';
import { type Clock, sleep, systemClock } from '@wherry/clock';
import { parseExactJson, StatusError } from '@wherry/kubeapi';
import { limits } from '../../limits.ts';

/** What lists and watches answer with: objects, lists of them, or tables. */
export interface Versioned {
  metadata?: { resourceVersion?: string };
}

/** What is followed, in which form, and who hears of it. */
export interface FollowedList<List extends Versioned, Change extends Versioned> {
  /** The path of list and watch with these parameters added. */
  path(query: object): string;
  /** The form of the answers. */
  accept: string;
  /** Hears of what is there, at the beginning and whenever changes were missed. */
  onList(list: List): void;
  onChange(type: string, change: Change): void;
  /** Ends it, by its reason. */
  signal?: AbortSignal | undefined;
  /** Default: the system's. */
  clock?: Clock | undefined;
}

/**
 * Lists, and tells of each change from there on, until the process is interrupted or the signal aborts. A watch that ends or is torn is taken up
 * again; throws when the server has been away for `limits.watchOutageMs`, and what it refuses with.
 */
export async function followList<List extends Versioned, Change extends Versioned>(
  client: Pick<KubeClient, 'request' | 'stream'>,
  followed: FollowedList<List, Change>,
): Promise<void> {
  const { path, accept, onList, signal, clock = systemClock } = followed;
  for (;;) {
    const list = await client.request<List>({ method: 'GET', path: path({}), headers: { accept }, signal });
    onList(list);
    await followChanges(client, { ...followed, clock, from: list.metadata?.resourceVersion });
    // Its version is too old by now: what is there is told anew.
    await sleep({ clock, delayMs: limits.watchPauseMs, signal });
  }
}

/** Resolves when the server no longer knows the version that the changes begin with. */
async function followChanges<List extends Versioned, Change extends Versioned>(
  client: Pick<KubeClient, 'stream'>,
  followed: FollowedList<List, Change> & { clock: Clock; from: string | undefined },
): Promise<void> {
  const { path, accept, onChange, signal, clock, from } = followed;
  let resourceVersion = from;
  let awaySinceMs: number | undefined;
  for (;;) {
    try {
      const query = { watch: true, resourceVersion, allowWatchBookmarks: true };
      const answer = await client.stream({ method: 'GET', path: path(query), headers: { accept }, signal });
      awaySinceMs = undefined;
      for await (const { type, object } of eventsOf<Change>(answer)) {
        if (type === 'ERROR') return;
        resourceVersion = object.metadata?.resourceVersion ?? resourceVersion;
        if (type !== 'BOOKMARK') onChange(type, object);
      }
    } catch (error) {
      if (error instanceof StatusError && error.code === gone) return;
      awaySinceMs ??= clock.monotonicMs();
      if (!isAway(error) || clock.monotonicMs() - awaySinceMs > limits.watchOutageMs) throw error;
    }
    await sleep({ clock, delayMs: limits.watchPauseMs, signal });
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
async function* eventsOf<Change>({ body }: HttpAnswer): AsyncGenerator<{ type: string; object: Change }> {
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
    yield parseExactJson(Buffer.from(next.value).toString('utf8')) as unknown as {
      type: string;
      object: Change;
    };
  }
}

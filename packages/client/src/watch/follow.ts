import { backoff, type Clock, sleep } from '@wherry/clock';
import { hasReason, type JsonObject, StatusError } from '@wherry/kubeapi/objects';
import { ClientError } from '../errors.ts';
import { limits } from '../limits.ts';
import type { KubeObject } from '../objects/objects.ts';
import type { ResourceClient, SelectOptions } from '../resources/resource-client.ts';
import type { WatchEvent } from '../resources/watch-events.ts';
import { Watchdog } from './watchdog.ts';

/** What {@link followChanges} follows, and from where. */
export interface FollowOptions<T extends KubeObject> {
  resource: ResourceClient<T>;
  select: Pick<SelectOptions, 'namespace' | 'labelSelector' | 'fieldSelector'>;
  /** Changes after this one. Undefined: all objects come first, as ADDED, in no order. */
  resourceVersion: string | undefined;
  /** Asks that those first objects end with a bookmark that {@link isInitialEnd} knows. Needs WatchList of the server. */
  sendsInitialEnd?: boolean | undefined;
  clock: Clock;
  /** Number in [0, 1). */
  random: () => number;
  signal: AbortSignal;
  /** True begins again where it was after any 5xx, too: for who can not list anew. Default: those are thrown. */
  outlivesServerErrors?: boolean | undefined;
  /** A watch failed and is begun again where it was. */
  failed(error: Error): void;
  /** The server has taken a watch, the first or one after another. */
  opened?: (() => void) | undefined;
}

const initialEndAnnotation = 'k8s.io/initial-events-end';

/** Whether an event says that all objects that were there at the start have been sent (KEP-3157). */
export function isInitialEnd<T extends KubeObject>({ type, object }: WatchEvent<T>): boolean {
  return type === 'BOOKMARK' && object.metadata?.annotations?.[initialEndAnnotation] === 'true';
}

/** Whether the server keeps the asked version no more: whoever follows must list anew (410, in a Status or an event). */
export function isExpired(error: unknown): boolean {
  return error instanceof StatusError && error.code === 410;
}

/** A server that is behind the others does not know the asked version yet; those before 1.19 say so in words alone. */
export function isTooLarge(error: unknown): boolean {
  if (!(error instanceof StatusError) || error.code !== 504) return false;
  const causes = (error.status.details as JsonObject | undefined)?.['causes'];
  return /ResourceVersionTooLarge|Too large resource version/.test(
    `${JSON.stringify(causes)} ${error.message}`,
  );
}

/**
 * Changes, each once and in order, for as long as the server keeps them: a watch that ended in order, was torn, fell
 * silent or was refused for too much load (429) is begun again after the last version that came. Throws `StatusError`
 * of anything else that the server refuses, 410 above all, `ClientError` `bad-answer` of what is no event, which would come
 * again, and `signal.reason`. Bookmarks come too.
 */
export async function* followChanges<T extends KubeObject>(
  options: FollowOptions<T>,
): AsyncGenerator<WatchEvent<T>, never> {
  const { resource, select, clock, random, signal, opened } = options;
  const delays = backoff({ ...limits.informerBackoffMs, jitter: 0.5, random });
  let version = options.resourceVersion;
  let isInitial = version === undefined;
  for (;;) {
    using watchdog = new Watchdog(clock, limits.watchSilenceMs);
    const begunMs = clock.monotonicMs();
    const hasLasted = () => clock.monotonicMs() - begunMs >= limits.shortWatchMs;
    try {
      const events = resource.watch({
        ...select,
        ...(isInitial && options.sendsInitialEnd ? initialEvents : { resourceVersion: version }),
        allowWatchBookmarks: true,
        timeoutSeconds: Math.round(limits.watchTimeoutSecondsMin * (1 + random())),
        signal: AbortSignal.any([signal, watchdog.signal]),
        opened,
      });
      for await (const event of events) {
        watchdog.heard();
        delays.reset();
        yield event;
        version = event.object.metadata?.resourceVersion || version;
        if (isInitialEnd(event)) isInitial = false;
      }
      // What was begun with all objects would begin with all of them again.
      if (isInitial && options.sendsInitialEnd) throw incomplete();
      // A server that ends watches at once must not be asked in a tight loop.
      if (hasLasted()) delays.reset();
      await sleep({ clock, delayMs: delays.nextDelayMs(), signal, keepsAlive: true });
    } catch (error) {
      signal.throwIfAborted();
      if ((isInitial && options.sendsInitialEnd) || !isPassing(error, options)) throw error;
      if (hasLasted()) delays.reset();
      options.failed(error as Error);
      await sleep({ clock, delayMs: delays.nextDelayMs(), signal, keepsAlive: true });
    }
  }
}

const initialEvents = { sendInitialEvents: true, resourceVersionMatch: 'NotOlderThan' } as const;

/** What says nothing about the version: a connection that failed, or a server that has too much to do. */
function isPassing(
  error: unknown,
  { outlivesServerErrors }: Pick<FollowOptions<KubeObject>, 'outlivesServerErrors'>,
): boolean {
  if (!(error instanceof StatusError)) return !(error instanceof ClientError) || error.code !== 'bad-answer';
  if (error.code === 429) return true;
  // What can not be read in the store would be come upon again.
  const isOfServer = error.code >= 500 && !isTooLarge(error) && !hasReason(error, 'StorageReadError');
  return outlivesServerErrors === true && isOfServer;
}

function incomplete(): Error {
  return new StatusError({
    code: 410,
    reason: 'Expired',
    message: 'the watch ended before all objects had been sent',
  });
}

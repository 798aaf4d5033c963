import { orAborted } from '@wherry/bytes';
import type { Clock } from '@wherry/clock';
import { StatusError } from '@wherry/kubeapi/objects';
import type { KubeObject } from '../objects/objects.ts';
import type { ResourceClient, SelectOptions } from '../resources/resource-client.ts';
import { Informer } from './informer.ts';

/** A change of a selection of objects, or that all of them are known: at the start, and after each new list. */
export type FollowedChange<T> =
  | { type: 'ADDED' | 'MODIFIED' | 'DELETED'; object: T }
  | { type: 'SYNCED'; objects: readonly T[] };

/** Looks at a change; true ends the following. What it throws ends it too. */
export type SeeChange<T> = (change: FollowedChange<T>) => boolean | undefined;

/** What is followed. */
export interface FollowUntilOptions<T extends KubeObject>
  extends Pick<SelectOptions, 'namespace' | 'labelSelector' | 'fieldSelector' | 'signal'> {
  resource: ResourceClient<T>;
  clock: Clock;
  see: SeeChange<T>;
  /** A list or watch failed and is tried again. */
  failed?: ((error: Error) => void) | undefined;
}

/**
 * Follows objects until `see` answers true: first those that are there, then each change, over torn and silent connections and
 * versions that the server has forgotten. Throws what `see` throws, `StatusError` when they may not be watched, or
 * `signal.reason`.
 */
export async function followUntil<T extends KubeObject>(options: FollowUntilOptions<T>): Promise<void> {
  const { see, signal, failed, ...followed } = options;
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  promise.catch(() => {});
  let isOver = false;
  const end = (how: () => void) => {
    isOver = true;
    how();
  };
  const look = (change: FollowedChange<T>) => {
    if (isOver) return;
    try {
      if (see(change)) end(resolve);
    } catch (error) {
      end(() => reject(error));
    }
  };
  signal?.throwIfAborted();
  const informer = new Informer<T>({
    ...followed,
    handlers: {
      added: (object) => look({ type: 'ADDED', object }),
      updated: (object) => look({ type: 'MODIFIED', object }),
      deleted: (object) => look({ type: 'DELETED', object }),
      synced: () => look({ type: 'SYNCED', objects: [...informer.objects.values()] }),
      failed: (error) => {
        if (error instanceof StatusError && isFinal(error)) end(() => reject(error));
        else failed?.(error);
      },
    },
  });
  try {
    informer.start();
    await orAborted(promise, signal);
  } finally {
    isOver = true;
    await informer.close();
  }
}

/** Answers that waiting will not change: nobody may see it, or the resource is unknown. */
function isFinal({ code }: StatusError): boolean {
  return code === 400 || code === 401 || code === 403 || code === 404 || code === 405;
}

import { Informer, type KubeClient, type KubeObject, type ResourceType } from '@wherry/client';
import type { Clock } from '@wherry/clock';

/** What a cache is made of. */
export interface WatchedObjectsOptions<T extends KubeObject> {
  client: KubeClient;
  clock: Clock;
  type: ResourceType<T>;
  /** An object that this pod uses appeared, changed or went. */
  onChanged(uid: string): void;
}

interface Watched<T extends KubeObject> {
  informer: Informer<T>;
  users: Set<string>;
}

/**
 * The ConfigMaps or Secrets that this node's pods use: one watch per object, kept while any pod uses it, so that a
 * change reaches its pods at once and a node sees nothing it has no pod for.
 */
export class WatchedObjects<T extends KubeObject> {
  readonly #options: WatchedObjectsOptions<T>;
  readonly #watched = new Map<string, Watched<T>>();

  constructor(options: WatchedObjectsOptions<T>) {
    this.#options = options;
  }

  /** The object, or undefined when there is none; from now on the pod hears of its changes. Rejects with `signal.reason`. */
  async get(uid: string, namespace: string, name: string, signal: AbortSignal): Promise<T | undefined> {
    const key = `${namespace}/${name}`;
    const watched = this.#watched.get(key) ?? this.#watch(namespace, name);
    this.#watched.set(key, watched);
    watched.users.add(uid);
    await watched.informer.synced(signal);
    return watched.informer.objects.get(key);
  }

  /** The pod is gone: objects that nobody uses any more are let go. */
  release(uid: string): void {
    for (const [key, { users, informer }] of this.#watched) {
      if (!users.delete(uid) || users.size > 0) continue;
      this.#watched.delete(key);
      void informer.close();
    }
  }

  async close(): Promise<void> {
    await Promise.all([...this.#watched.values()].map(({ informer }) => informer.close()));
    this.#watched.clear();
  }

  #watch(namespace: string, name: string): Watched<T> {
    const { client, clock, type, onChanged } = this.#options;
    const users = new Set<string>();
    let isLive = false;
    const tell = () => {
      if (isLive) for (const uid of users) onChanged(uid);
    };
    const informer = new Informer<T>({
      resource: client.resource(type),
      namespace,
      fieldSelector: `metadata.name=${name}`,
      clock,
      handlers: {
        added: tell,
        updated: tell,
        deleted: tell,
        synced: () => {
          isLive = true;
        },
      },
    });
    return { informer: informer.start(), users };
  }
}

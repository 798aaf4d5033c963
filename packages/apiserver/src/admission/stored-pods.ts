import type { Pod } from '@wherry/kubeapi';
import { as } from '../objects/api-object.ts';
import { ObjectStorage } from '../objects/object-storage.ts';
import { objectOf } from '../objects/stored-text.ts';
import { keyOf, type ServedResource } from '../objects/strategy.ts';
import type { Store } from '../store/store.ts';

/** Pods as plug-ins look them up; there are too many of them for a cache. */
export class StoredPods {
  readonly #storage: ObjectStorage;

  constructor(store: Store, pods: ServedResource) {
    this.#storage = new ObjectStorage(store, pods);
  }

  /** Throws 400 on what is no name. */
  async find(namespace: string, name: string): Promise<Pod | undefined> {
    const found = await this.#storage.find({ namespace, name });
    return found ? as<Pod>(found.object) : undefined;
  }

  /** At most `limit` pods of a namespace, and how many there are. */
  async list(namespace: string, limit: number): Promise<{ pods: Pod[]; total: number }> {
    const { store, resource, gvk } = this.#storage;
    const prefix = keyOf(resource, namespace, '');
    const { items, remaining = 0 } = await store.range({ prefix, limit, countsRemaining: true });
    return { pods: items.map((stored) => as<Pod>(objectOf(stored, gvk))), total: items.length + remaining };
  }
}

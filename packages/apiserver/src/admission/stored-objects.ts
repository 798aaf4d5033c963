import { as } from '../objects/api-object.ts';
import { ObjectStorage } from '../objects/object-storage.ts';
import type { ServedResource } from '../objects/strategy.ts';
import type { Store } from '../store/store.ts';

/** Objects of one kind as plug-ins look them up, where there are too many of them for a cache. */
export class StoredObjects<T> {
  protected readonly storage: ObjectStorage;

  constructor(store: Store, resource: ServedResource) {
    this.storage = new ObjectStorage(store, resource);
  }

  /** Throws 400 on what is no name. */
  async find(namespace: string, name: string): Promise<T | undefined> {
    const found = await this.storage.find({ namespace, name });
    return found ? as<T>(found.object) : undefined;
  }
}

import type { Pod } from '@wherry/kubeapi';
import { as } from '../objects/api-object.ts';
import { objectOf } from '../objects/stored-text.ts';
import { keyOf } from '../objects/strategy.ts';
import { StoredObjects } from './stored-objects.ts';

/** Pods as plug-ins look them up. */
export class StoredPods extends StoredObjects<Pod> {
  /** At most `limit` pods of a namespace, and how many there are. */
  async list(namespace: string, limit: number): Promise<{ pods: Pod[]; total: number }> {
    const { store, resource, gvk } = this.storage;
    const prefix = keyOf(resource, namespace, '');
    const { items, remaining = 0 } = await store.range({ prefix, limit, countsRemaining: true });
    return { pods: items.map((stored) => as<Pod>(objectOf(stored, gvk))), total: items.length + remaining };
  }
}

import { hasReason } from '@wherry/kubeapi';
import { limits } from '../limits.ts';
import type { Collection } from '../registry/collection.ts';
import { deletionOf } from '../registry/deletion.ts';

/** Deletes every object of a collection as far as its finalizers let it; the number that is left. */
export async function deleteInstances({ storage, resource, clock }: Collection): Promise<number> {
  const { strategy, keyPrefix, facts } = resource;
  let left = 0;
  let after: string | undefined;
  for (let hasMore = true; hasMore; ) {
    const page = await storage.store.range({ prefix: keyPrefix, after, limit: limits.pageRowsMax });
    for (const { key } of page.items) {
      after = key;
      const [namespace = '', name = ''] = facts.namespaced
        ? key.slice(keyPrefix.length).split('/')
        : ['', key.slice(keyPrefix.length)];
      let isGone = true;
      const change = (current: Parameters<typeof deletionOf>[0]) => {
        const deletion = deletionOf(current, {}, { strategy, nowMs: clock.nowMs() });
        isGone = 'remove' in deletion;
        return deletion;
      };
      try {
        await storage.change({ namespace, name, change });
      } catch (error) {
        if (!hasReason(error, 'NotFound')) throw error;
      }
      if (!isGone) left += 1;
    }
    ({ hasMore } = page);
  }
  return left;
}

/** Takes out what was written while its definition went. */
export async function sweep({ storage, resource }: Collection): Promise<void> {
  const { items } = await storage.store.range({ prefix: resource.keyPrefix });
  for (const { key } of items) await storage.store.write({ key, value: null });
}

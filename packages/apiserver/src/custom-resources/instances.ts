import { formatApiVersion, parseApiVersion } from '@wherry/kubeapi';
import { limits } from '../limits.ts';
import { isConflict } from '../objects/object-storage.ts';
import { parseStored, storedApiVersion, toStoredText } from '../objects/stored-text.ts';
import type { Collection } from '../registry/collection.ts';
import { deletionOf } from '../registry/deletion.ts';

/** Deletes every object of a collection as far as its finalizers let it; the number that is left. */
export async function deleteInstances(collection: Collection): Promise<number> {
  const { storage, resource } = collection;
  const { keyPrefix } = resource;
  let left = 0;
  let after: string | undefined;
  for (let hasMore = true; hasMore; ) {
    const page = await storage.store.range({ prefix: keyPrefix, after, limit: limits.pageRowsMax });
    for (const { key } of page.items) {
      after = key;
      if (!(await deleteStored(key, collection))) left += 1;
    }
    ({ hasMore } = page);
  }
  return left;
}

/**
 * In the version that it is stored in: nobody is asked to convert what goes, since who converts may be gone already. False
 * when something keeps it.
 */
async function deleteStored(key: string, { storage, resource, clock }: Collection): Promise<boolean> {
  const { strategy, facts } = resource;
  for (let attempt = 0; attempt < limits.changeAttemptsMax; attempt += 1) {
    const stored = await storage.store.get(key);
    if (!stored) return true;
    const { value, modRevision: expectedRevision } = stored;
    const apiVersion = storedApiVersion(value) ?? formatApiVersion(facts.group, facts.version);
    const { group, version } = parseApiVersion(apiVersion) ?? facts;
    const object = parseStored(value, expectedRevision, { group, version, kind: facts.kind });
    const deletion = deletionOf(object, {}, { strategy, nowMs: clock.nowMs() });
    const isGone = 'remove' in deletion;
    const next = isGone ? null : toStoredText(deletion.next, apiVersion);
    if (next === value) return false;
    try {
      await storage.store.write({ key, value: next, kind: facts.kind, expectedRevision });
      return isGone;
    } catch (error) {
      if (!isConflict(error)) throw error;
    }
  }
  return false;
}

/** Takes out what was written while its definition went. */
export async function sweep({ storage, resource }: Collection): Promise<void> {
  const { items } = await storage.store.range({ prefix: resource.keyPrefix });
  for (const { key } of items) await storage.store.write({ key, value: null });
}

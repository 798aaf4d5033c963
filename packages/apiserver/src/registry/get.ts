import type { Snapshot } from '../objects/snapshot.ts';
import { parseRevision, tooLargeRevision } from '../requests/list-options.ts';
import type { ResourceRequest } from '../requests/request.ts';
import type { Collection } from './collection.ts';

/**
 * The object that a GET names: its newest state, which is at least as new as `resourceVersion` wants. Throws 504 for a
 * version that has not come to be, 400 for a text that is none, 404.
 */
export async function getObject(
  { storage }: Collection,
  { info, query }: Pick<ResourceRequest, 'info' | 'query'>,
): Promise<Snapshot> {
  const wanted = parseRevision(query.text('resourceVersion'));
  if (wanted !== undefined) {
    const current = await storage.store.revision();
    if (wanted > current) throw tooLargeRevision(wanted, current);
  }
  return storage.get({ namespace: info.namespace, name: info.name });
}

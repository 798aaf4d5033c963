import { badRequest } from '@wherry/kubeapi';
import type { Snapshot } from '../objects/snapshot.ts';
import { parseRevision } from '../requests/list-options.ts';
import type { ResourceRequest } from '../requests/request.ts';
import { awaitRevision } from './await-revision.ts';
import type { Collection } from './collection.ts';

/**
 * The object that a GET names: its newest state, which is at least as new as `resourceVersion` wants. Throws 504 for a
 * version that does not come to be in time, 400 for a text that is none and for `export`, 404.
 */
export async function getObject(
  { storage, clock }: Collection,
  { info, query, signal }: Pick<ResourceRequest, 'info' | 'query' | 'signal'>,
): Promise<Snapshot> {
  if (query.flag('export'))
    throw badRequest('the export parameter, deprecated since v1.14, is no longer supported');
  const wanted = parseRevision(query.text('resourceVersion'));
  if (wanted !== undefined) await awaitRevision(storage.store, wanted, { clock, signal });
  return storage.get({ namespace: info.namespace, name: info.name });
}

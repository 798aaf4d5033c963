import type { ApiserverOptions } from '@wherry/apiserver';
import { NodeError } from '../errors.ts';
import { askStorePlace } from '../store-place/index.ts';
import type { EtcdFlags } from './flags/etcd-flags.ts';

/**
 * Where the store is, if no folder is named: in etcd, or in the folder that who answers in etcd's place keeps for it. Throws
 * `NodeError` `bad-settings` where no flag tells of either.
 */
export async function placeOptions({
  dataDir,
  etcdServers = [],
}: EtcdFlags & { dataDir?: string }): Promise<Partial<ApiserverOptions>> {
  if (dataDir !== undefined) return {};
  if (etcdServers.length === 0)
    throw new NodeError('bad-settings', 'one of --data-dir and --etcd-servers has to say where the store is');
  const place = await askStorePlace(etcdServers);
  return place ? { ...place, etcdServers: undefined } : {};
}

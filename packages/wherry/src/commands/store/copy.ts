import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { copyStore } from '@wherry/apiserver/copy-store';
import { layoutOf } from '@wherry/node';
import { CommandError } from '../../errors.ts';

/** Options of `wherry store copy`. */
export interface StoreCopyOptions {
  dataDir: string;
  etcdServers: string[];
  etcdCafile?: string;
  etcdCertfile?: string;
  etcdKeyfile?: string;
  etcdPrefix?: string;
  encryptionProviderConfig?: string;
}

/** Copies what a node, or an API server, has stored in one file into an etcd. Neither may run meanwhile. */
export async function storeCopy({
  dataDir,
  encryptionProviderConfig,
  ...etcd
}: StoreCopyOptions): Promise<void> {
  const folder = storeIn(dataDir);
  const count = await copyStore({ dataDir: folder, etcd, encryptionProviderConfig }).catch((error: Error) => {
    throw new CommandError(`the store in "${folder}" was not copied: ${error.message}`, { cause: error });
  });
  console.log(`${count} objects copied from ${folder} to ${etcd.etcdServers.join(', ')}`);
}

/** An API server's own folder, or that of the API server of a node. */
function storeIn(dataDir: string): string {
  const own = resolve(dataDir);
  return existsSync(join(own, 'state.db')) ? own : layoutOf(dataDir).roleDir('apiserver');
}

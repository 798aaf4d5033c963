import { collectList } from '@wherry/node/roles';
import type { Command } from 'commander';
import type { StoreCopyOptions } from '../../commands/store/copy.ts';

/** `store copy`: a cluster that has outgrown one file goes on in an etcd. */
export function addStoreCommands(program: Command): void {
  const store = program.command('store').description('what the API server has stored');
  store
    .command('copy')
    .description(
      'copy all objects of a node that is down into an empty etcd, where kube-apiserver and "wherry apiserver" find them',
    )
    .requiredOption('--data-dir <dir>', 'folder of the node, or of its API server')
    .requiredOption(
      '--etcd-servers <urls>',
      'http://HOST:PORT or https://HOST:PORT of etcd’s members',
      collectList,
    )
    .option('--etcd-cafile <file>', 'CA of etcd’s certificates (default: the machine’s)')
    .option('--etcd-certfile <file>', 'client certificate towards etcd')
    .option('--etcd-keyfile <file>', 'its key')
    .option('--etcd-prefix <prefix>', 'what all keys in etcd begin with (default: /registry)')
    .option('--encryption-provider-config <file>', 'what is encrypted is read by it, and is so in etcd')
    .action(async (options: StoreCopyOptions) =>
      (await import('../../commands/store/copy.ts')).storeCopy(options),
    );
}

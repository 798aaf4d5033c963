import { type Command, Option } from 'commander';
import type { TopNodesFlags, TopPodsFlags } from '../../../commands/objects/top/flags.ts';
import { asGroup } from '../../flags/command-group.ts';
import { withKubeFlags } from '../../flags/kube-flags.ts';
import { usageError } from '../../flags/usage-errors.ts';

/** `top nodes` and `top pods`. */
export function addTop(program: Command): Command[] {
  const top = asGroup(program.command('top')).description('print what nodes or pods take');
  const nodes = withTopFlags(top.command('nodes').aliases(['node', 'no']))
    .description('print what nodes take, and of what pods may take there')
    .option('--show-capacity', 'shares of what the nodes have')
    .action(async (names: string[], flags: TopNodesFlags) =>
      (await import('../../../commands/objects/top/nodes.ts')).topNodes(names, flags),
    );
  const pods = withTopFlags(top.command('pods').aliases(['pod', 'po']))
    .description('print what pods take')
    .option('-A, --all-namespaces', 'of every namespace')
    .option('--field-selector <selector>', 'those that the field selector finds')
    .option('--containers', 'of each container')
    .option('--sum', 'and all of them together')
    .action(async (names: string[], flags: TopPodsFlags, self: Command) => {
      if (names.length > 0 && flags.allNamespaces)
        usageError(self, 'a pod is named in one namespace; --all-namespaces takes no names');
      await (await import('../../../commands/objects/top/pods.ts')).topPods(names, flags);
    });
  return [nodes, pods];
}

const withTopFlags = (command: Command): Command =>
  withKubeFlags(command)
    .argument('[names...]', 'these alone')
    .option('-l, --selector <selector>', 'those that the label selector finds')
    .option('--sort-by <resource>', 'who takes most of it first: cpu or memory')
    .option('--no-headers', 'rows alone')
    .option('--show-swap', 'of swap, too')
    // Without effect: the metrics API is asked for JSON.
    .addOption(new Option('--use-protocol-buffers').hideHelp());

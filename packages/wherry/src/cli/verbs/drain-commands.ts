import { type Command, Option } from 'commander';
import type { CordonFlags, DrainFlags } from '../../commands/maintenance/flags.ts';
import { CommandError } from '../../errors.ts';
import { dryRunOption } from '../flags/change-flags.ts';
import { parseSignedDuration } from '../flags/duration.ts';
import { withKubeFlags } from '../flags/kube-flags.ts';
import { chunkSizeOption, parseInteger } from '../flags/options.ts';
import { usageError } from '../flags/usage-errors.ts';

/** `cordon`, `uncordon`, `drain`. */
export function addDrain(program: Command): Command[] {
  const cordon = withNodes(program.command('cordon'))
    .description('let no further pods come to nodes')
    .action(async (words: string[], flags: CordonFlags, self: Command) => {
      requireNodes(words, flags, self);
      await (await import('../../commands/maintenance/cordon.ts')).cordon(words, flags);
    });
  const uncordon = withNodes(program.command('uncordon'))
    .description('let pods come to nodes again')
    .action(async (words: string[], flags: CordonFlags, self: Command) => {
      requireNodes(words, flags, self);
      await (await import('../../commands/maintenance/cordon.ts')).uncordon(words, flags);
    });
  const drain = withDrainFlags(withNodes(program.command('drain')))
    .description('let no further pods come to nodes, and those that are there go')
    .action(async (words: string[], flags: DrainFlags, self: Command) => {
      requireNodes(words, flags, self);
      await (await import('../../commands/maintenance/drain.ts')).drain(words, flags);
    });
  return [cordon, uncordon, drain];
}

function withNodes(command: Command): Command {
  return withKubeFlags(command)
    .usage('(NODE... | -l SELECTOR) [flags]')
    .argument('[nodes...]', 'their names')
    .option('-l, --selector <selector>', 'those that the label selector finds')
    .addOption(dryRunOption());
}

function withDrainFlags(command: Command): Command {
  return command
    .option('--force', 'also pods that nobody would make anew')
    .option('--ignore-daemonsets', 'leave the pods of DaemonSets where they are')
    .option('--delete-emptydir-data', 'also pods whose emptyDir volumes go with them')
    .option('--grace-period <seconds>', "time to end; below 0 for each pod's own", parseInteger, -1)
    .addOption(
      new Option('--timeout <duration>', 'how long a node may take; 0 for as long as it takes')
        .argParser(parseSignedDuration)
        .default(0, '0s'),
    )
    .option('--pod-selector <selector>', 'the pods that the label selector finds, alone')
    .option('--disable-eviction', 'delete pods, whatever disruption budgets say')
    .option(
      '--skip-wait-for-delete-timeout <seconds>',
      'wait for no pod that should have been gone for longer; 0 waits for all',
      parseInteger,
      0,
    )
    .addOption(chunkSizeOption());
}

function requireNodes(words: readonly string[], { selector }: CordonFlags, self: Command): void {
  if (words.length === 0 && selector === undefined) usageError(self, `USAGE: ${self.name()} NODE [flags]`);
  // It would find every node.
  if (words.length === 0 && selector === '')
    throw new CommandError(
      'you must provide one or more resources by argument or filename: --selector is empty',
    );
  if (words.length > 0 && selector !== undefined)
    usageError(self, 'cannot specify both a node name and a --selector option');
}

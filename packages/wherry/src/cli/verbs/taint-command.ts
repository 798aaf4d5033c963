import type { Command } from 'commander';
import type { TaintFlags } from '../../commands/changes/taint.ts';
import { dryRunOption } from '../flags/change-flags.ts';
import { withKubeFlags } from '../flags/kube-flags.ts';
import { withOutput } from '../flags/options.ts';
import { usageError } from '../flags/usage-errors.ts';
import { validateOption } from '../flags/validate-option.ts';

/** `taint`. */
export function addTaint(program: Command): Command {
  return withOutput(withKubeFlags(program.command('taint')), ['json', 'yaml', 'name'])
    .description('keep pods from nodes that do not put up with it, or let them come again')
    .usage('nodes (NAME... | -l SELECTOR | --all) KEY[=VALUE]:EFFECT... KEY[:EFFECT]-... [flags]')
    .argument('[words...]', 'nodes and their names, and behind them taints; one that ends with - goes')
    .option('-l, --selector <selector>', 'those that the label selector finds')
    .option('--all', 'all nodes')
    .option('--overwrite', 'change values of taints that are there, too')
    .addOption(dryRunOption())
    .addOption(validateOption())
    .option('--field-manager <name>', 'in whose name fields are managed', 'wherry-taint')
    .option('--show-managed-fields', 'with -o: who manages which field too')
    .action(async (words: string[], flags: TaintFlags, self: Command) =>
      (await import('../../commands/changes/taint.ts')).taint(words, flags, (message) =>
        usageError(self, message),
      ),
    );
}

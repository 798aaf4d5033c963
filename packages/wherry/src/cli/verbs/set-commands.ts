import type { Command } from 'commander';
import type { SetImageFlags } from '../../commands/changes/set-image.ts';
import { dryRunOption } from '../flags/change-flags.ts';
import { withKubeFlags } from '../flags/kube-flags.ts';
import { withOutput } from '../flags/options.ts';
import { withSelection } from '../flags/selection-flags.ts';
import { leaveToKubectl } from '../unknown-commands.ts';

/** `set image`. */
export function addSet(program: Command): Command[] {
  const set = program.command('set').description('give what pods are made of other images');
  leaveToKubectl(set, ['env', 'resources', 'selector', 'serviceaccount', 'subject']);
  const image = withOutput(withSelection(withKubeFlags(set.command('image'))), ['json', 'yaml', 'name'])
    .description('give containers other images')
    .usage('(TYPE NAME | TYPE/NAME | TYPE (-l SELECTOR | --all) | -f FILE) CONTAINER=IMAGE... [flags]')
    .option('--all', 'all of the type in the namespace')
    .option('--local', 'change what -f holds, and ask no server')
    .addOption(dryRunOption())
    .option('--field-manager <name>', 'in whose name fields are managed', 'wherry-set')
    .option('--show-managed-fields', 'with -o: who manages which field too')
    .action(async (words: string[], flags: SetImageFlags) =>
      (await import('../../commands/changes/set-image.ts')).setImage(words, flags),
    );
  return [image];
}

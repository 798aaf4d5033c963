import { type Command, Option } from 'commander';
import type { EditLastAppliedFlags } from '../../../commands/apply/edit-last-applied.ts';
import type { SetLastAppliedFlags } from '../../../commands/apply/set-last-applied.ts';
import type { ViewLastAppliedFlags } from '../../../commands/apply/view-last-applied.ts';
import { dryRunOption } from '../../flags/change-flags.ts';
import { withKubeFlags } from '../../flags/kube-flags.ts';
import { withEditedForm, withOutput } from '../../flags/options.ts';
import { withRecord } from '../../flags/record-flag.ts';
import { filenameOption, withNames, withSelection } from '../../flags/selection-flags.ts';
import { usageError } from '../../flags/usage-errors.ts';
import { validateOption } from '../../flags/validate-option.ts';

/** `apply view-last-applied | set-last-applied | edit-last-applied`. */
export function addLastApplied(apply: Command): Command[] {
  return [addView(apply), addSet(apply), addEdit(apply)];
}

function addView(apply: Command): Command {
  const output = new Option('-o, --output <format>', 'json or yaml').default('yaml');
  output.argChoices = ['json', 'yaml'];
  return withSelection(withKubeFlags(apply.command('view-last-applied')))
    .description('print what client-side apply was given last')
    .usage('(TYPE/NAME | TYPE [NAME... | -l SELECTOR | --all] | -f FILE | -k FOLDER) [flags]')
    .option('--all', 'all of the type in the namespace')
    .addOption(output)
    .action(async (words: string[], flags: ViewLastAppliedFlags, self: Command) => {
      if (!['json', 'yaml'].includes(flags.output)) {
        const must = `the flag 'output' must be one of yaml|json`;
        usageError(self, `Unexpected -o output mode: ${flags.output}, ${must}`);
      }
      await (await import('../../../commands/apply/view-last-applied.ts')).viewLastApplied(words, flags);
    });
}

function addSet(apply: Command): Command {
  return withOutput(withKubeFlags(apply.command('set-last-applied')), ['json', 'yaml', 'name'])
    .description('let client-side apply take files for what it was given last')
    .usage('-f FILE... [flags]')
    .argument('[words...]')
    .addOption(filenameOption())
    .option('--create-annotation', 'of objects that client-side apply has not made, too')
    .addOption(dryRunOption())
    .option('--show-managed-fields', 'with -o: who manages which field too')
    .action(async (words: string[], flags: SetLastAppliedFlags, self: Command) => {
      if (words.length > 0) usageError(self, `Unexpected args: [${words.join(' ')}]`);
      if (!flags.filename) usageError(self, 'must specify -f');
      await (await import('../../../commands/apply/set-last-applied.ts')).setLastApplied(flags);
    });
}

function addEdit(apply: Command): Command {
  return withEditedForm(withNames(withRecord(withKubeFlags(apply.command('edit-last-applied')))))
    .description(
      'change what client-side apply was given last in the editor that KUBE_EDITOR or EDITOR names',
    )
    .usage('(TYPE/NAME | TYPE [NAME...] | -f FILE | -k FOLDER) [flags]')
    .addOption(validateOption())
    .option('--windows-line-endings', 'write the file with them')
    .option('--field-manager <name>', 'in whose name the annotation is managed', 'wherry-client-side-apply')
    .option('--show-managed-fields', 'with -o: who manages which field too')
    .action(async (words: string[], flags: EditLastAppliedFlags) =>
      (await import('../../../commands/apply/edit-last-applied.ts')).editLastApplied(words, flags),
    );
}

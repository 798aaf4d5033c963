import type { Command } from 'commander';
import type { EditFlags } from '../../../commands/edit/flags.ts';
import { withKubeFlags } from '../../flags/kube-flags.ts';
import { withEditedForm } from '../../flags/options.ts';
import { withRecord } from '../../flags/record-flag.ts';
import {
  filenameOption,
  kustomizeOption,
  typesAndNames,
  typesAndNamesHelp,
} from '../../flags/selection-flags.ts';
import { validateOption } from '../../flags/validate-option.ts';

/** `edit`. */
export function addEdit(program: Command): Command {
  return withEditedForm(withRecord(withKubeFlags(program.command('edit'))))
    .description('change objects in the editor that KUBE_EDITOR or EDITOR names, else in vi')
    .usage('(TYPE/NAME | TYPE [NAME...] | -f FILE | -k FOLDER) [flags]')
    .argument(typesAndNames, typesAndNamesHelp)
    .addOption(filenameOption())
    .addOption(kustomizeOption())
    .option('-R, --recursive', 'folders in folders too')
    .option('--output-patch', 'print the patch of each object that was changed')
    .option('--save-config', 'keep what was saved in the annotation that client-side apply compares with')
    .option('--subresource <name>', 'of this sub-resource, such as status or scale')
    .addOption(validateOption())
    .option('--windows-line-endings', 'write the file with them')
    .option('--field-manager <name>', 'in whose name fields are managed', 'wherry-edit')
    .option('--show-managed-fields', 'with -o: who manages which field too, of what is printed')
    .action(async (words: string[], flags: EditFlags) =>
      (await import('../../../commands/edit/edit.ts')).edit(words, flags),
    );
}

import type { Command } from 'commander';
import type { CreateFlags } from '../../../commands/create/files/flags.ts';
import { dryRunOption, saveConfigOption } from '../../flags/change-flags.ts';
import { withKubeFlags } from '../../flags/kube-flags.ts';
import { withOutput } from '../../flags/options.ts';
import { withRecord } from '../../flags/record-flag.ts';
import { filenameOption, kustomizeOption } from '../../flags/selection-flags.ts';
import { usageError } from '../../flags/usage-errors.ts';
import { validateOption } from '../../flags/validate-option.ts';
import { addCreateKinds } from './create-kinds.ts';

/** `create`, and the words below it. */
export function addCreate(program: Command): Command[] {
  const create = withOutput(withRecord(withKubeFlags(program.command('create'))), ['json', 'yaml', 'name'])
    .enablePositionalOptions()
    .description('create the objects of files, or one of the kinds that have words of their own')
    .usage('(-f FILE... | -k FOLDER | KIND NAME) [flags]')
    .argument('[words...]')
    .addOption(filenameOption())
    .addOption(kustomizeOption())
    .option('-R, --recursive', 'folders in folders too')
    .option('-l, --selector <selector>', 'of the objects of the files those that the label selector finds')
    .option('--edit', 'open each of them in an editor first, and create what is saved')
    .option('--windows-line-endings', 'with --edit: write the file with them')
    .option('--raw <path>', 'send the file as it is to this path of the server')
    .addOption(dryRunOption())
    .addOption(saveConfigOption())
    .addOption(validateOption())
    .option('--field-manager <name>', 'in whose name fields are managed', 'wherry-create')
    .option('--show-managed-fields', 'with -o: who manages which field too')
    // Those of kubectl's words for single kinds, so that all of them are told the same.
    .allowUnknownOption()
    .action(async (words: string[], flags: CreateFlags & { filename?: string[] }, self: Command) => {
      if (words[0]?.startsWith('-')) usageError(self, `unknown flag: ${words[0]}`);
      if (words.length > 0) usageError(self, `Unexpected args: [${words.join(' ')}]`);
      if (!flags.filename) usageError(self, 'must specify one of -f and -k');
      await (await import('../../../commands/create/files/create-files.ts')).createFiles(flags);
    });
  return [create, ...addCreateKinds(create)];
}

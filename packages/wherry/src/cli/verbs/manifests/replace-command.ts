import type { Command } from 'commander';
import type { ReplaceFlags } from '../../../commands/replace/flags.ts';
import { dryRunOption, saveConfigOption } from '../../flags/change-flags.ts';
import { cascadeOption, deletionTimeoutOption, gracePeriodOption } from '../../flags/deletion-flags.ts';
import { withKubeFlags } from '../../flags/kube-flags.ts';
import { withOutput } from '../../flags/options.ts';
import { withRecord } from '../../flags/record-flag.ts';
import { filenameOption, kustomizeOption } from '../../flags/selection-flags.ts';
import { validateOption } from '../../flags/validate-option.ts';

/** `replace`. */
export function addReplace(program: Command): Command {
  return withOutput(withRecord(withKubeFlags(program.command('replace'))), ['json', 'yaml', 'name'])
    .description('put the objects of files in the place of those that are there')
    .usage('(-f FILE... | -k FOLDER) [flags]')
    .argument('[words...]')
    .addOption(filenameOption())
    .addOption(kustomizeOption())
    .option('-R, --recursive', 'folders in folders too')
    .option('--force', 'delete what is there and create it anew')
    .addOption(cascadeOption())
    .addOption(gracePeriodOption())
    .option('--wait', 'with --force: as long as it takes until what is deleted is gone')
    .addOption(deletionTimeoutOption('5m, and with --wait for a week'))
    .option('--raw <path>', 'put the file as it is at this path of the server')
    .option('--subresource <name>', 'of this sub-resource, such as status or scale')
    .addOption(dryRunOption())
    .addOption(saveConfigOption())
    .addOption(validateOption())
    .option('--field-manager <name>', 'in whose name fields are managed', 'wherry-replace')
    .option('--show-managed-fields', 'with -o: who manages which field too')
    .action(async (words: string[], flags: ReplaceFlags & { filename?: string[] }, self: Command) => {
      if (!flags.filename) self.error('error: must specify one of -f and -k');
      await (await import('../../../commands/replace/replace.ts')).replace(words, flags);
    });
}

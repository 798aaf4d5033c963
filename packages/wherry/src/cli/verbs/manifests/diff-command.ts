import { collect } from '@wherry/node/roles';
import { type Command, Option } from 'commander';
import type { DiffFlags } from '../../../commands/diff/flags.ts';
import { withKubeFlags } from '../../flags/kube-flags.ts';
import { parseInteger } from '../../flags/options.ts';
import { filenameOption, kustomizeOption } from '../../flags/selection-flags.ts';
import { usageError } from '../../flags/usage-errors.ts';

/** `diff`, whose exit code 1 says that something differs: what goes wrong ends with more. */
export function addDiff(program: Command): Command {
  return withKubeFlags(program.command('diff'))
    .description('show what apply would change, by diff or what KUBECTL_EXTERNAL_DIFF names')
    .usage('(-f FILE... | -k FOLDER) [flags]')
    .argument('[words...]')
    .addOption(filenameOption())
    .addOption(kustomizeOption())
    .option('-R, --recursive', 'folders in folders too')
    .option('-l, --selector <selector>', 'of the objects of the files those that the label selector finds')
    .addOption(new Option('--server-side', 'as server-side apply, as "wherry apply" does').hideHelp())
    .option('--no-server-side', 'compare as client-side apply, as kubectl does by default')
    .option('--force-conflicts', 'take fields over from other managers')
    .option('--field-manager <name>', 'in whose name fields are managed', 'wherry')
    .option('--show-managed-fields', 'who manages which field too')
    .option('--show-secrets', 'what secrets hold too')
    .option('--concurrency <n>', 'objects that are looked at at one time', parseInteger, 1)
    .option('--prune', 'objects too that "kubectl apply --prune" would delete')
    .option('--prune-allowlist <group/version/kind>', 'of these kinds alone; may be repeated', collect)
    .exitOverride(({ exitCode }) => process.exit(exitCode === 0 ? 0 : exitCode + 1))
    .action(async (words: string[], flags: DiffFlags & { filename?: string[] }, self: Command) => {
      if (words.length > 0) usageError(self, `Unexpected args: [${words.join(' ')}]`);
      if (!flags.filename) self.error('error: must specify one of -f and -k');
      await (await import('../../../commands/diff/diff.ts')).diff(flags);
    });
}

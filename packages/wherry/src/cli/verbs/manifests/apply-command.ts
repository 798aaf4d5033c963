import { collect } from '@wherry/node/roles';
import { type Command, Option } from 'commander';
import type { ApplyFlags } from '../../../commands/apply/flags.ts';
import { trueWords } from '../../../words/go-words.ts';
import { dryRunOption } from '../../flags/change-flags.ts';
import { cascadeOption, deletionTimeoutOption, gracePeriodOption } from '../../flags/deletion-flags.ts';
import { withKubeFlags } from '../../flags/kube-flags.ts';
import { withOutput } from '../../flags/options.ts';
import { withRecord } from '../../flags/record-flag.ts';
import { filenameOption, kustomizeOption } from '../../flags/selection-flags.ts';
import { usageError } from '../../flags/usage-errors.ts';
import { validateOption } from '../../flags/validate-option.ts';
import { addLastApplied } from './last-applied-commands.ts';

/** `apply`, and its words about what client-side apply was given last. */
export function addApply(program: Command): Command[] {
  const apply = withOutput(withRecord(withKubeFlags(program.command('apply'))), ['json', 'yaml', 'name'])
    .enablePositionalOptions()
    .description('create or change objects as files have them, by server-side apply')
    .usage('(-f FILE... | -k FOLDER) [flags]')
    .argument('[words...]')
    .addOption(filenameOption())
    .addOption(kustomizeOption())
    .option('-R, --recursive', 'folders in folders too')
    .option('-l, --selector <selector>', 'of the objects of the files those that the label selector finds');
  withWays(apply);
  withDeletion(apply)
    .addOption(dryRunOption())
    .addOption(validateOption())
    .option('--show-managed-fields', 'with -o: who manages which field too')
    .action(async ([word]: string[], flags: ApplyFlags, self: Command) => {
      if (word !== undefined) usageError(self, `apply takes no words; is it -f ${word}?`);
      if (flags.applyset !== undefined && !hasApplySets())
        usageError(self, '--applyset is alpha, as in kubectl: KUBECTL_APPLYSET=true lets it in');
      if (!flags.filename) usageError(self, 'must specify one of -f and -k');
      await (await import('../../../commands/apply/apply.ts')).apply(flags);
    });
  return [apply, ...addLastApplied(apply)];
}

/** As in kubectl, whose prune by sets is alpha. */
const hasApplySets = (): boolean => trueWords.includes(process.env['KUBECTL_APPLYSET'] ?? '');

/** How what the files say becomes of what is there. */
const withWays = (command: Command): Command =>
  command
    .option('--server-side', "at the server, as without it, in kubectl's words")
    .option('--no-server-side', 'client-side, by what was applied last, as kubectl does by default')
    .option('--force-conflicts', 'at the server: take fields over from other managers')
    .option('--subresource <name>', 'at the server: of this sub-resource, such as status or scale')
    .option(
      '--field-manager <name>',
      'in whose name fields are managed (default: wherry, or wherry-client-side-apply)',
    )
    .addOption(new Option('--overwrite').hideHelp())
    .option('--no-overwrite', 'client-side: refuse to undo what others have changed since')
    // Patches are worked out from the built-in types, as kubectl does without it; servers tell nothing else of them.
    .addOption(new Option('--openapi-patch').hideHelp())
    .addOption(new Option('--no-openapi-patch').hideHelp());

const withDeletion = (command: Command): Command =>
  command
    .option(
      '--prune',
      'delete what was applied before and is not now: client-side with -l or --all, or with --applyset',
    )
    .option('--all', 'with --prune: all of the namespaces of the files, without a selector')
    .option(
      '--prune-allowlist <group/version/kind>',
      'with --prune: of these kinds alone; may be repeated',
      collect,
    )
    .option(
      '--applyset <[resource[.group]/]name>',
      'with --prune: of this set, which a secret keeps unless named otherwise (alpha: KUBECTL_APPLYSET=true)',
    )
    .option('--force', 'client-side: delete what cannot be changed, and create it anew')
    .addOption(cascadeOption())
    .addOption(gracePeriodOption())
    .option('--wait', 'with --prune: until all is gone')
    .addOption(deletionTimeoutOption('5m, and with --wait for a week'));

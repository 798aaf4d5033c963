import type { Command } from 'commander';
import type { CanIFlags } from '../../commands/auth/can-i.ts';
import type { ReconcileFlags } from '../../commands/auth/reconcile/reconcile.ts';
import type { WhoamiFlags } from '../../commands/auth/whoami.ts';
import { dryRunOption } from '../flags/change-flags.ts';
import { asGroup } from '../flags/command-group.ts';
import { withKubeFlags } from '../flags/kube-flags.ts';
import { withOutput } from '../flags/options.ts';
import { filenameOption, kustomizeOption } from '../flags/selection-flags.ts';
import { usageError } from '../flags/usage-errors.ts';

/** `auth can-i | reconcile | whoami`. */
export function addAuth(program: Command): Command[] {
  const auth = asGroup(program.command('auth')).description(
    'ask or say who may do what, and who the caller is',
  );
  return [addCanI(auth), addReconcile(auth), addWhoami(auth)];
}

function addCanI(auth: Command): Command {
  return withKubeFlags(auth.command('can-i'))
    .description('say whether something may be done: yes, or no and an exit code of 1')
    .usage('(VERB (TYPE | TYPE/NAME | PATH) | --list) [flags]')
    .argument('[words...]', 'a verb, and what it would be done to')
    .option('-A, --all-namespaces', 'in every namespace')
    .option('-q, --quiet', 'print nothing; the exit code says it')
    .option('--subresource <name>', 'to this sub-resource, such as log or scale')
    .option('--list', 'print all that may be done in the namespace')
    .option('--no-headers', 'with --list: rows alone')
    .action(async (words: string[], flags: CanIFlags, self: Command) => {
      if (flags.list) {
        if (words.length > 0) self.error('error: list option must be specified with no arguments');
        return (await import('../../commands/auth/can-i-list.ts')).canIList(flags);
      }
      const [verb, what, ...more] = words;
      if (verb === undefined || what === undefined || more.length > 0)
        usageError(self, 'you must specify two arguments: verb resource or verb resource/resourceName.');
      await (await import('../../commands/auth/can-i.ts')).canI(verb, what, flags);
    });
}

function addReconcile(auth: Command): Command {
  return withOutput(withKubeFlags(auth.command('reconcile')), ['json', 'yaml', 'name'])
    .description('give roles and role bindings what files want of them, and leave them the rest')
    .usage('(-f FILE... | -k FOLDER) [flags]')
    .argument('[words...]')
    .addOption(filenameOption())
    .addOption(kustomizeOption())
    .option('-R, --recursive', 'folders in folders too')
    .option('--remove-extra-permissions', 'take rules from roles that the files do not want')
    .option('--remove-extra-subjects', 'take subjects from bindings that the files do not want')
    .addOption(dryRunOption())
    .option('--show-managed-fields', 'with -o: who manages which field too')
    .action(async (words: string[], flags: ReconcileFlags, self: Command) => {
      if (!flags.filename) self.error('error: must specify one of -f and -k');
      await (await import('../../commands/auth/reconcile/reconcile.ts')).authReconcile(words, flags);
    });
}

function addWhoami(auth: Command): Command {
  return withOutput(withKubeFlags(auth.command('whoami')), ['json', 'yaml'])
    .description('print whom the server takes the caller for')
    .option('--show-managed-fields', 'without effect: there are none')
    .action(async (flags: WhoamiFlags) => (await import('../../commands/auth/whoami.ts')).whoami(flags));
}

import { collect } from '@wherry/node/roles';
import { type Command, Option } from 'commander';

/** In the place of the flag of the kubeconfig's user, as in kubectl. */
class SubjectUserOption extends Option {
  override attributeName(): string {
    return 'subjectUsers';
  }
}

/** Whom a role binding binds, of a command that has no `--user` else. */
export const withSubjects = (command: Command): Command =>
  command
    .addOption(new SubjectUserOption('--user <name>', 'a user; may be repeated').argParser(collect))
    .option('--group <name>', 'a group; may be repeated', collect)
    .option('--serviceaccount <namespace:name>', 'a service account; may be repeated', collect);

import { collect } from '@wherry/node/roles';
import { type Command, Option } from 'commander';
import type { TokenFlags } from '../../../commands/create/token.ts';
import { parseSignedDuration } from '../../flags/duration.ts';
import { withKubeFlags } from '../../flags/kube-flags.ts';
import { withOutput } from '../../flags/options.ts';
import { requireName } from './creating.ts';

/** `create token`: of a service account. */
export function addToken(create: Command): Command {
  return withOutput(withKubeFlags(create.command('token')), ['json', 'yaml', 'name'])
    .description('ask for a token of a service account')
    .usage('SERVICEACCOUNT [flags]')
    .argument('[words...]', 'name of the service account')
    .option('--audience <name>', "whom it is for (default: the server's); may be repeated", collect)
    .addOption(
      new Option('--duration <duration>', 'how long it is good for; 0 for as long as the server says')
        .argParser(parseSignedDuration)
        .default(0, '0s'),
    )
    .option('--bound-object-kind <kind>', 'it ends with a Pod, a Secret or a Node')
    .option('--bound-object-name <name>', 'of this name')
    .option('--bound-object-uid <uid>', 'and of this UID')
    .option('--show-managed-fields', 'with -o: who manages which field too')
    .action(async (words: string[], flags: TokenFlags, self: Command) => {
      const name = requireName(words, self);
      await (await import('../../../commands/create/token.ts')).createToken(name, flags);
    });
}

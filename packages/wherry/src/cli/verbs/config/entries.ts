import { collect } from '@wherry/node/roles';
import { type Command, Option } from 'commander';
import type { SetClusterFlags } from '../../../commands/config/set-cluster.ts';
import type { SetCredentialsFlags } from '../../../commands/config/set-credentials.ts';
import type { ConfigPlace } from '../../../kubeconfig/config-state.ts';
import { listFields, lists } from '../../../kubeconfig/lists.ts';
import { fieldsOf } from '../../flags/pairs-flag.ts';
import { triState, withConfigFlags } from './config-flags.ts';
import { requireWords } from './words.ts';

/** `config set-cluster | set-credentials | delete-cluster | delete-user | delete-context`. */
export function addConfigEntries(config: Command): Command[] {
  return [addSetCluster(config), addSetCredentials(config), ...addDelete(config)];
}

/** Collects a flag of words between commas, those with commas in quotes. */
const collectFields = (text: string, previous: readonly string[] = []): string[] => [
  ...previous,
  ...fieldsOf(text),
];

function addSetCluster(config: Command): Command {
  const command = config
    .command('set-cluster')
    .description('make a cluster, or change one')
    .usage('NAME [flags]')
    .argument('[words...]', 'NAME')
    .option('--server <url>', 'where its API server is')
    .option('--tls-server-name <name>', "name that the server's certificate is checked against")
    .addOption(triState('insecure-skip-tls-verify', "don't check the server's certificate"))
    .option('--certificate-authority <file>', 'whom to trust, PEM')
    .addOption(triState('embed-certs', 'what the file holds instead of its path'))
    .option('--proxy-url <url>', 'the way to it: http, https or socks5');
  return withConfigFlags(command).action(async (words: string[], flags: SetClusterFlags, self: Command) => {
    requireWords(words, 1, self);
    (await import('../../../commands/config/set-cluster.ts')).setCluster(words[0] ?? '', flags);
  });
}

function addSetCredentials(config: Command): Command {
  const command = config
    .command('set-credentials')
    .description('make a user, or change one')
    .usage('NAME [flags]')
    .argument('[words...]', 'NAME')
    .option('--client-certificate <file>', 'client certificate, PEM')
    .option('--client-key <file>', 'key of the client certificate, PEM')
    .addOption(triState('embed-certs', 'what the files hold instead of their paths'))
    .option('--token <token>', 'bearer token')
    .option('--username <name>', 'user name of basic authentication')
    .option('--password <password>', 'password of basic authentication')
    .option('--exec-command <program>', 'what prints credentials')
    .option('--exec-api-version <version>', 'how it prints them: client.authentication.k8s.io/v1')
    .option('--exec-arg <argument>', 'an argument of it, in the place of all; may be repeated', collectFields)
    .option('--exec-env <NAME=VALUE>', 'a variable for it; NAME- takes one away; may be repeated', collect)
    .addOption(
      new Option(
        '--exec-interactive-mode <mode>',
        'whether it uses standard input: Never, IfAvailable, Always',
      ),
    )
    .addOption(triState('exec-provide-cluster-info', 'tell it of the cluster'))
    .option('--auth-provider <name>', 'oidc: OpenID Connect by the client itself')
    .option(
      '--auth-provider-arg <KEY=VALUE>',
      'a setting of it; KEY- takes one away; may be repeated',
      collectFields,
    );
  return withConfigFlags(command).action(
    async (words: string[], flags: SetCredentialsFlags, self: Command) => {
      requireWords(words, 1, self);
      (await import('../../../commands/config/set-credentials.ts')).setCredentials(words[0] ?? '', flags);
    },
  );
}

const addDelete = (config: Command): Command[] =>
  lists.map((list) =>
    withConfigFlags(config.command(`delete-${listFields[list]}`))
      .description(`take a ${listFields[list]} away`)
      .usage('NAME [flags]')
      .argument('[words...]', 'NAME')
      .action(async (words: string[], flags: ConfigPlace, self: Command) => {
        requireWords(words, 1, self);
        (await import('../../../commands/config/delete.ts')).deleteEntry(list, words[0] ?? '', flags);
      }),
  );

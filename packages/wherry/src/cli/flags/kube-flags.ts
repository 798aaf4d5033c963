import { collect, parseWhole } from '@wherry/node/roles';
import { type Command, Help, Option } from 'commander';
import { hasKuberc } from '../../kuberc/place.ts';
import { parseRequestTimeout } from './duration.ts';

const heading = 'Which cluster, and as whom:';

/**
 * kubectl's flags about which cluster, as whom, and where; in the help behind the command's own. Without `--user` or `--profile`
 * for a command that has another one.
 */
export function withKubeFlags(command: Command, { hasUserFlag = true, hasProfileFlag = true } = {}): Command {
  command.configureHelp({ ...command.configureHelp(), groupItems: withGroupLast });
  withClusterFlags(command.optionsGroup(heading)).option(
    '-n, --namespace <name>',
    "namespace (default: the context's)",
  );
  if (hasUserFlag) command.option('--user <name>', 'user of the kubeconfig');
  command
    .option('--token <token>', 'bearer token')
    .option('--username <name>', 'user name of basic authentication')
    .option('--password <password>', 'password of basic authentication')
    .option('--client-certificate <file>', 'client certificate, PEM')
    .option('--client-key <file>', 'key of the client certificate, PEM')
    .option('--as <user>', 'act as this user or service account')
    .option('--as-group <group>', 'act as a member of this group; may be repeated', collect)
    .option('--as-uid <uid>', 'act as the user of this UID')
    .option(
      '--as-user-extra <key=value>',
      'act with more that is known of the user; may be repeated',
      collect,
    )
    .option('--data-dir <dir>', 'talk to the node in this folder')
    .option('-v, --v <level>', 'from 6 on: print each request, its status and its time', parseWhole, 0);
  return withAcceptedFlags(command, hasProfileFlag).optionsGroup('Options:');
}

function withGroupLast<T extends Command | Option>(
  this: Help,
  ...items: Parameters<typeof Help.prototype.groupItems<T>>
): Map<string, T[]> {
  const groups = Help.prototype.groupItems.apply(this, items as never) as Map<string, T[]>;
  const last = groups.get(heading);
  groups.delete(heading);
  if (last) groups.set(heading, last);
  return groups;
}

function withClusterFlags(command: Command): Command {
  if (hasKuberc())
    command.option('--kuberc <file>', 'file of preferences (default: $KUBERC, then ~/.kube/kuberc)');
  return command
    .option('--kubeconfig <file>', "kubeconfig (default: $KUBECONFIG, ~/.kube/config, then the local node's)")
    .option('--context <name>', 'context of the kubeconfig')
    .option('--cluster <name>', 'cluster of the kubeconfig')
    .option('-s, --server <url>', 'URL of the API server')
    .option('--certificate-authority <file>', 'whom to trust, PEM')
    .option('--tls-server-name <name>', "name that the server's certificate is checked against")
    .option('--insecure-skip-tls-verify', "don't check the server's certificate")
    .option('--disable-compression', 'ask for answers as they are')
    .option('--warnings-as-errors', 'end with 1 when the server warns of something')
    .option('--match-server-version', 'end with an error when the server is of another release')
    .hook('preAction', async (self, acting) => {
      if (self !== acting || !self.opts()['matchServerVersion']) return;
      await (await import('../../commands/objects/match-version.ts')).checkServerVersion(self.opts());
    })
    .addOption(
      new Option('--request-timeout <duration>', 'longest time for one request; 0 for any')
        .argParser(parseRequestTimeout)
        .default(0, '0'),
    );
}

/** Flags of kubectl about its own caches, log and profile: taken, so that its command lines work, and without effect. */
function withAcceptedFlags(command: Command, hasProfileFlag: boolean): Command {
  const profile = hasProfileFlag ? ['--profile'] : [];
  const withValue = ['--cache-dir', '--log-flush-frequency', ...profile, '--profile-output', '--vmodule'];
  for (const flag of withValue) command.addOption(new Option(`${flag} <value>`).hideHelp());
  return command;
}

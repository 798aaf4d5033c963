import { parsePort } from '@wherry/node/roles';
import { type Command, Option } from 'commander';
import type { ProxyFlags } from '../commands/proxy/flags.ts';
import { parseDuration } from './flags/duration.ts';
import { withKubeFlags } from './flags/kube-flags.ts';
import { usageError, withKubectlErrors } from './flags/usage-errors.ts';

/** `proxy`: the API of a cluster, for programs of this machine. */
export function addProxy(program: Command): Command {
  const command = withKubeFlags(program.command('proxy'))
    .description(
      "serve the cluster's API to programs of this machine, as the user of the kubeconfig, until Ctrl-C",
    )
    .argument('[words...]')
    .usage('[--port=PORT] [--www=DIR] [--www-prefix=PREFIX] [--api-prefix=PREFIX] [flags]')
    .option('-p, --port <port>', 'port; 0 for any that is free', parsePort, 8001)
    .option('--address <address>', 'address to listen at', '127.0.0.1')
    .option('-u, --unix-socket <path>', 'listen at this socket instead, for this user alone')
    .option('-w, --www <dir>', 'serve the files of this folder too')
    .option('-P, --www-prefix <prefix>', 'below this path', '/static/')
    .option('--api-prefix <prefix>', 'serve the API below this path', '/')
    .option('--accept-paths <regexps>', 'pass on paths that one of these finds', '^.*')
    .option(
      '--reject-paths <regexps>',
      'but none that one of these finds',
      '^/api/.*/pods/.*/exec,^/api/.*/pods/.*/attach',
    )
    .option(
      '--accept-hosts <regexps>',
      'answer to hosts that one of these finds',
      '^localhost$,^127\\.0\\.0\\.1$,^\\[::1\\]$',
    )
    .option('--reject-methods <regexps>', 'pass on no method that one of these finds', '^$')
    .option('--disable-filter', 'pass on all: pages of any site may then act as you')
    .addOption(
      new Option(
        '--keepalive <duration>',
        'silence on an upgraded connection after which TCP asks; 0 for 30s',
      )
        .argParser(parseDuration)
        .default(0, '0s'),
    )
    .option('--append-server-path', "put the path of the server's URL in front of each request")
    .action(async (words: string[], flags: ProxyFlags, self: Command) => {
      if (words.length > 0) usageError(self, `unexpected arguments: [${words.join(' ')}]`);
      await (await import('../commands/proxy/proxy.ts')).proxy(flags);
    });
  return withKubectlErrors(command);
}

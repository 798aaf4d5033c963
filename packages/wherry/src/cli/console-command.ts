import { parsePort } from '@wherry/node/roles';
import type { Command } from 'commander';
import type { ConsoleFlags } from '../commands/kube/console.ts';
import { withKubeFlags } from './flags/kube-flags.ts';
import { withKubectlErrors } from './flags/usage-errors.ts';

/** `console`: a page on this machine, against any cluster. */
export function addConsole(program: Command): Command {
  const command = withKubeFlags(program.command('console'))
    .description('serve a web console of the cluster to the browsers of this machine, until Ctrl-C')
    .option('--port <port>', 'port of 127.0.0.1; 0 for any that is free', parsePort, 0)
    .option('--open', 'open it in the browser')
    .action(async (flags: ConsoleFlags) => (await import('../commands/kube/console.ts')).serveConsole(flags));
  return withKubectlErrors(command);
}

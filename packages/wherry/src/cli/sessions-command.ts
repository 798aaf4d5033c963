import type { Command } from 'commander';
import type { SessionsFlags } from '../commands/kube/sessions.ts';
import { withKubeFlags } from './flags/kube-flags.ts';
import { withOutput } from './flags/options.ts';
import { withKubectlErrors } from './flags/usage-errors.ts';

const command = () => import('../commands/kube/sessions.ts');

/** `sessions`: who is in which pod, over which hops, live. */
export function addSessions(program: Command): Command {
  const list = withSessionsFlags(program.command('sessions'))
    .description('list exec, attach, port-forward and log sessions, with what goes over each hop')
    .usage('[flags] | show ID [flags]')
    .option('-A, --all-namespaces', 'of every namespace')
    .option('--ended', 'those too that ended in the last five minutes')
    .option('-w, --watch', 'go on with what changes')
    .action(async (flags: SessionsFlags) => (await command()).sessions(flags));
  const show = withSessionsFlags(list.command('show'))
    .description('print every hop of a session: protocols, bytes each way, what it waits for, how it ended')
    .argument('<id>', 'its id, or as much of it as no other begins with')
    .action(async (id: string, _flags: SessionsFlags, self: Command) =>
      (await command()).showSession(id, flagsOf(self)),
    );
  withKubectlErrors(show);
  return withKubectlErrors(list);
}

const withSessionsFlags = (command: Command): Command =>
  withOutput(withKubeFlags(command)).option('--node <name>', 'those that lead to this node');

/** Flags may stand in front of `show` too; what stands behind it goes first. */
function flagsOf(self: Command): SessionsFlags {
  const given = (command: Command) =>
    Object.entries(command.opts()).filter(([name]) => command.getOptionValueSource(name) !== 'default');
  const before = self.parent ? given(self.parent) : [];
  return Object.fromEntries([...Object.entries(self.opts()), ...before, ...given(self)]) as SessionsFlags;
}

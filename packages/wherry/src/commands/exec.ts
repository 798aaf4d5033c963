import { exec as execInPod } from '@wherry/client';
import { CommandError } from '../errors.ts';
import { chooseContainer } from '../kube/container-choice.ts';
import { reportExitCode } from '../kube/exit-code.ts';
import { clientFor, type StreamFlags } from '../kube/flags.ts';
import { findPod, parseTarget } from '../kube/pod-target.ts';
import { grantTerminal, openTerminal } from '../kube/session-terminal.ts';

/** Flags of `wherry exec`. */
export interface ExecFlags extends StreamFlags {
  container?: string;
  stdin?: boolean;
  tty?: boolean;
  quiet?: boolean;
}

/** Runs a command in a container and ends with its exit code. `command` is what stood behind `--`. */
export async function exec(target: string, command: string[], flags: ExecFlags): Promise<void> {
  if (command.length === 0) throw new CommandError('you must specify at least one command for the container');
  const { stdin = false, tty = false, quiet = false } = flags;
  const client = clientFor(flags);
  const pod = await findPod(client, parseTarget(target, flags.namespace));
  const phase = pod.status?.phase;
  if (phase === 'Succeeded' || phase === 'Failed') {
    throw new CommandError(`cannot exec into a container in a completed pod; current phase is ${phase}`);
  }
  const container = chooseContainer(pod, { wanted: flags.container, quiet, warn: console.error });
  const granted = grantTerminal({ stdin, tty, quiet });
  using terminal = openTerminal(granted);
  const exitCode = await execInPod(client, {
    namespace: pod.metadata.namespace,
    pod: pod.metadata.name ?? '',
    container: container.name,
    command,
    tty: granted.tty,
    transport: flags.transport,
    ...terminal,
  });
  reportExitCode(exitCode);
}

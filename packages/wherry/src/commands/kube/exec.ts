import { exec as execInPod, type ForwardTarget } from '@wherry/client';
import { CommandError } from '../../errors.ts';
import { chooseContainer } from '../../kube/container-choice.ts';
import { reportExitCode } from '../../kube/exit-code.ts';
import { targetsOfFile } from '../../kube/file-target.ts';
import { clientFor, type StreamFlags } from '../../kube/flags.ts';
import { findPod, parseTarget } from '../../kube/pod-target.ts';
import { grantTerminal, usingTerminal } from '../../kube/session-terminal.ts';

/** Flags of `wherry exec`. */
export interface ExecFlags extends StreamFlags {
  container?: string;
  stdin?: boolean;
  tty?: boolean;
  quiet?: boolean;
  /** Files that name the target instead. */
  filename?: string[];
  /** Milliseconds. */
  podRunningTimeout: number;
}

/** Runs a command in a container and ends with its exit code. `command` is what stood behind `--`. */
export async function exec(target: string | undefined, command: string[], flags: ExecFlags): Promise<void> {
  if (target === undefined && !flags.filename) {
    throw new CommandError('pod, type/name or --filename must be specified');
  }
  if (command.length === 0) throw new CommandError('you must specify at least one command for the container');
  const { stdin = false, tty = false, quiet = false } = flags;
  const wanted = await chooseTarget(target, flags);
  const client = clientFor(flags);
  const pod = await findPod(client, wanted, flags.podRunningTimeout);
  const phase = pod.status?.phase;
  if (phase === 'Succeeded' || phase === 'Failed') {
    throw new CommandError(`cannot exec into a container in a completed pod; current phase is ${phase}`);
  }
  const container = chooseContainer(pod, { wanted: flags.container, quiet, warn: console.error });
  const granted = grantTerminal({ stdin, tty, quiet });
  const { transport } = flags;
  const { name = '', namespace } = pod.metadata;
  const where = { namespace, pod: name, container: container.name };
  reportExitCode(
    await usingTerminal(granted, (terminal) =>
      execInPod(client, { ...where, command, tty: granted.tty, transport, ...terminal }),
    ),
  );
}

async function chooseTarget(
  target: string | undefined,
  { filename = [], namespace }: ExecFlags,
): Promise<ForwardTarget> {
  const named = target === undefined ? [] : [parseTarget(target, namespace)];
  for (const path of filename) named.push(...(await targetsOfFile(path, namespace)));
  const [only] = named;
  if (!only) throw new CommandError('no objects passed to exec');
  if (named.length > 1) throw new CommandError('cannot exec into multiple objects at a time');
  return only;
}

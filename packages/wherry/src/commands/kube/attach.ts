import { attach as attachToPod } from '@wherry/client';
import type { Pod } from '@wherry/kubeapi';
import { CommandError } from '../../errors.ts';
import { chooseContainer } from '../../kube/container-choice.ts';
import { reportExitCode } from '../../kube/exit-code.ts';
import { clientFor, type StreamFlags } from '../../kube/flags.ts';
import { parseTarget, waitForStart } from '../../kube/pod-target.ts';
import { grantTerminal, type TerminalGrant, usingTerminal } from '../../kube/session-terminal.ts';
import { DetachKeys, parseDetachKeys } from '../../terminal/detach-keys.ts';

/** Flags of `wherry attach`. */
export interface AttachFlags extends StreamFlags {
  container?: string;
  stdin?: boolean;
  tty?: boolean;
  quiet?: boolean;
  detachKeys: string;
  /** Milliseconds. */
  podRunningTimeout: number;
  /** Ends the session, as a failure with its reason. */
  signal?: AbortSignal;
}

/** Joins the running process of a container until it ends or the detach keys are typed. */
export async function attach(target: string, flags: AttachFlags): Promise<void> {
  const { stdin = false, quiet = false } = flags;
  const client = clientFor(flags);
  const pod = await waitForStart(client, parseTarget(target, flags.namespace), flags.podRunningTimeout);
  const phase = pod.status?.phase;
  if (phase === 'Succeeded' || phase === 'Failed') {
    throw new CommandError(`cannot attach a container in a completed pod; current phase is ${phase}`);
  }
  const container = chooseContainer(pod, { wanted: flags.container, quiet, warn: console.error });
  if (flags.tty && !container.tty) {
    throw new CommandError(`Unable to use a TTY - container ${container.name} did not allocate one`);
  }
  const granted = grantTerminal({ stdin, tty: flags.tty ?? container.tty === true, quiet });
  if (!quiet && granted.stdin) console.error("If you don't see a command prompt, try pressing enter.");
  await join({ client, pod, container: container.name, granted, flags });
}

interface Joining {
  client: ReturnType<typeof clientFor>;
  pod: Pod;
  container: string;
  granted: TerminalGrant;
  flags: AttachFlags;
}

async function join({ granted, flags, ...session }: Joining): Promise<void> {
  const detached = new AbortController();
  const filter = granted.tty
    ? new DetachKeys(parseDetachKeys(flags.detachKeys), () => detached.abort())
    : undefined;
  try {
    const signal = flags.signal ? AbortSignal.any([detached.signal, flags.signal]) : detached.signal;
    reportExitCode(await run({ ...session, granted, flags, filter, signal }));
  } catch (error) {
    if (!detached.signal.aborted) throw error;
  }
  if (granted.tty) {
    const { name } = session.pod.metadata;
    console.error(
      `Session ended, resume using 'wherry attach ${name} -c ${session.container} -i -t' command when the pod is running`,
    );
  }
}

interface Running extends Joining {
  filter: DetachKeys | undefined;
  signal: AbortSignal;
}

async function run({ client, pod, container, granted, flags, filter, signal }: Running): Promise<number> {
  const { name = '', namespace } = pod.metadata;
  const { transport } = flags;
  const where = { namespace, pod: name, container };
  const wish = { ...granted, redraw: true, ...(filter ? { filter } : {}) };
  return usingTerminal(wish, (terminal) =>
    attachToPod(client, { ...where, tty: granted.tty, transport, signal, ...terminal }),
  );
}

import { attach as attachToPod, type KubeClient } from '@wherry/client';
import type { Pod } from '@wherry/kubeapi';
import { CommandError } from '../../errors.ts';
import { chooseContainer } from '../../kube/container-choice.ts';
import { reportExitCode } from '../../kube/exit-code.ts';
import { clientFor, type StreamFlags } from '../../kube/flags.ts';
import { parseTarget, waitForStart } from '../../kube/pod-target.ts';
import { grantTerminal, type TerminalGrant, usingTerminal } from '../../kube/session-terminal.ts';
import { DetachKeys, parseDetachKeys } from '../../terminal/detach-keys.ts';

/** Those who type into a container's first process write its log. */
const recorded =
  'All commands and output from this session will be recorded in container logs, including credentials and sensitive information passed through the command prompt.';

/** Flags about how a session is joined. */
export interface JoinFlags extends StreamFlags {
  container?: string;
  stdin?: boolean;
  tty?: boolean;
  quiet?: boolean;
  detachKeys: string;
  /** Ends the session, as a failure with its reason. */
  signal?: AbortSignal;
}

/** Flags of `wherry attach`. */
export interface AttachFlags extends JoinFlags {
  /** Milliseconds. */
  podRunningTimeout: number;
}

/** Joins the running process of a container until it ends or the detach keys are typed. */
export async function attach(target: string, flags: AttachFlags): Promise<void> {
  const client = clientFor(flags);
  const pod = await waitForStart(client, parseTarget(target, flags.namespace), flags.podRunningTimeout);
  const phase = pod.status?.phase;
  if (phase === 'Succeeded' || phase === 'Failed') {
    throw new CommandError(`cannot attach a container in a completed pod; current phase is ${phase}`);
  }
  await attachTo(client, pod, flags);
}

/** What ended a session in order: the detach keys, the end of its input where the container takes more from others, or its process. */
export type SessionEnd = 'detached' | 'end-of-input' | 'process-gone';

/** Joins a container of a pod that was looked at, as {@link attach}. */
export async function attachTo(client: KubeClient, pod: Pod, flags: JoinFlags): Promise<SessionEnd> {
  const { stdin = false, quiet = false } = flags;
  const container = chooseContainer(pod, { wanted: flags.container, quiet, warn: console.error });
  if (flags.tty && !container.tty) {
    throw new CommandError(`Unable to use a TTY - container ${container.name} did not allocate one`);
  }
  const granted = grantTerminal({ stdin, tty: flags.tty ?? container.tty === true, quiet });
  if (!quiet && granted.stdin) {
    console.error(recorded);
    console.error("If you don't see a command prompt, try pressing enter.");
  }
  const isDetached = await join({ client, pod, container: container.name, granted, flags });
  if (isDetached) return 'detached';
  const isRead = granted.stdin && process.stdin.readableEnded;
  return isRead && !container.stdinOnce ? 'end-of-input' : 'process-gone';
}

interface Joining {
  client: KubeClient;
  pod: Pod;
  container: string;
  granted: TerminalGrant;
  flags: JoinFlags;
}

/** Answers true when the detach keys ended it. */
async function join({ granted, flags, ...session }: Joining): Promise<boolean> {
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
  if (granted.tty) console.error(howToResume(session));
  return detached.signal.aborted;
}

function howToResume({ pod: { metadata, spec }, container }: Pick<Joining, 'pod' | 'container'>): string {
  const command = `wherry attach ${metadata.name} -c ${container}`;
  if (!spec.ephemeralContainers?.some(({ name }) => name === container))
    return `Session ended, resume using '${command} -i -t' command when the pod is running`;
  const line = `${command} -n ${metadata.namespace} -i -t`;
  return `Session ended, the ephemeral container will not be restarted but may be reattached using '${line}' if it is still running`;
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

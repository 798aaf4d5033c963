import { type KubeClient, kinds } from '@wherry/client';
import { sleep, systemClock } from '@wherry/clock';
import { type ContainerStateTerminated, type ContainerStatus, type Pod, StatusError } from '@wherry/kubeapi';
import { reportExitCode } from '../../kube/exit-code.ts';
import { limits } from '../../limits.ts';
import { attachTo, type JoinFlags } from './attach.ts';
import { logs } from './logs.ts';

/** How a container ended. */
export interface ContainerEnd {
  exitCode: number;
  /** What is told of it beside the code: why it never ran. */
  message?: string | undefined;
  /** Its log is that of the instance before the running one. */
  previous: boolean;
}

/** A container that was made to be joined, and may end sooner than it is. */
export interface Joinable {
  /** Waits until it can be joined or has ended. */
  look(): Promise<Pod>;
  /** How it ended, once nobody can join it. */
  endOf(pod: Pod): ContainerEnd | undefined;
  statusOf(pod: Pod): ContainerStatus | undefined;
  flags: JoinFlags;
}

/** Joins a container and gives back its exit code; of one that ended before it was joined, prints the log. */
export async function joinOrTell(client: KubeClient, one: Joinable): Promise<void> {
  const pod = await one.look();
  const ended = one.endOf(pod) ?? (await joined(client, pod, one));
  if (!ended) return;
  const { name = '', namespace = client.access.namespace } = pod.metadata;
  const { previous, exitCode, message } = ended;
  await logs(name, { ...one.flags, namespace, previous, maxLogRequests: 1, podRunningTimeout: 0 });
  if (message) console.error(message);
  reportExitCode(exitCode);
}

/** Joins it; answers how it ended where that was too late, and nothing else. */
async function joined(client: KubeClient, pod: Pod, one: Joinable): Promise<ContainerEnd | undefined> {
  try {
    const how = await attachTo(client, pod, one.flags);
    // The session itself does not tell.
    const ended =
      how === 'process-gone' ? await endTold(client, pod, one, limits.endToldWithinMs) : undefined;
    if (ended) reportExitCode(ended.exitCode);
    return undefined;
  } catch (error) {
    const ended = await endTold(client, pod, one, isOfServer(error) ? limits.endToldWithinMs : 0);
    if (ended) return ended;
    throw error;
  }
}

/** A server that finds nobody to be joined: the process may be gone, and the status not say so yet. */
const isOfServer = (error: unknown): boolean =>
  error instanceof StatusError && ![401, 403, 404].includes(error.code);

/** How it ended, by the status of the pod, which kubelets write a moment after it. */
async function endTold(
  client: KubeClient,
  { metadata: { name = '', namespace } }: Pod,
  { endOf, statusOf, flags: { signal } }: Joinable,
  patienceMs: number,
): Promise<ContainerEnd | undefined> {
  const untilMs = systemClock.monotonicMs() + patienceMs;
  for (;;) {
    const pod = await client.resource(kinds.pods).get({ name, namespace, signal });
    const ended = endOf(pod) ?? endBeforeRestart(statusOf(pod));
    if (ended || systemClock.monotonicMs() >= untilMs) return ended;
    await sleep({ clock: systemClock, delayMs: limits.podPollMs, signal });
  }
}

/** How it ended the last time, where it starts again. */
function endBeforeRestart({ state, lastState }: Partial<ContainerStatus> = {}): ContainerEnd | undefined {
  if (state?.terminated) return endFrom(state.terminated);
  const terminated = lastState?.terminated;
  return terminated && { ...endFrom(terminated), previous: state?.running !== undefined };
}

/** The end that a container's last state tells. */
export const endFrom = ({ exitCode, message }: ContainerStateTerminated): ContainerEnd => ({
  ...{ exitCode, message, previous: false },
});

import type { FailureBackoff } from '../../ground/failure-backoff.ts';
import { millisecondsOf, newestEnded, type PodRecord } from '../../observation/pod-record.ts';
import { type AssignedPod, describeWithUid } from '../../pod/assigned-pod.ts';
import { containerHash } from '../../pod/container-hash.ts';
import type { PodContainer } from '../../pod/containers.ts';
import { type EventRecorder, podEvents } from '../../reporting/events/recorder.ts';
import { ContainerStartError } from '../container-start-error.ts';

/** A container that is about to start. */
interface Comeback {
  pod: AssignedPod;
  record: PodRecord;
  target: PodContainer;
}

/**
 * Throws {@link ContainerStartError} while the container's last end is too fresh. One that was just killed to be started
 * anew still runs in the record: the end of the run before it counts then, so that a probe which fails again and again is
 * held back like a crash (upstream's doBackOff).
 */
export function holdBack(
  { backoff, recorder }: { backoff: FailureBackoff; recorder: EventRecorder },
  { pod, record, target }: Comeback,
): void {
  const { name: container } = target.container;
  const ended = newestEnded(record, container);
  if (!ended) return;
  const key = backoffKey(pod, target);
  const endedMs = millisecondsOf(ended.finishedAt);
  const remainingMs = backoff.remainingMs(key, endedMs);
  if (remainingMs === 0) return;
  const where = describeWithUid(pod);
  const message = `Back-off restarting failed container ${container} in pod ${where}`;
  podEvents(recorder, pod).warn('BackOff', message, target);
  const delay = formatSeconds(backoff.delayMs(key));
  throw new ContainerStartError(
    'CrashLoopBackOff',
    `back-off ${delay} restarting failed container=${container} pod=${where}`,
    { retryAfterMs: remainingMs },
  );
}

/** The container that was not held back is started: after its next end it waits longer. */
export function noteComeback(
  { backoff }: { backoff: FailureBackoff },
  { pod, record, target }: Comeback,
): void {
  const ended = newestEnded(record, target.container.name);
  if (ended) backoff.raise(backoffKey(pod, target), millisecondsOf(ended.finishedAt));
}

/** Restart delays belong to one container as it is now: another image or other resources start afresh. */
function backoffKey(pod: AssignedPod, { container }: PodContainer): string {
  const { uid } = pod.metadata;
  return `${uid}/${container.name}/${containerHash(container)}/${JSON.stringify(container.resources ?? {})}`;
}

function formatSeconds(durationMs: number): string {
  const seconds = Math.round(durationMs / 1_000);
  return seconds < 60 ? `${seconds}s` : `${Math.floor(seconds / 60)}m${seconds % 60}s`;
}

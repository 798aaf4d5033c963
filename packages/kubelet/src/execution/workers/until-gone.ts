import { type Clock, sleep } from '@wherry/clock';
import { goneCheckMs } from '../../limits.ts';
import type { AssignedPod } from '../../pod/assigned-pod.ts';

/** What {@link untilGone} goes by. */
export interface UntilGoneOptions {
  clock: Clock;
  /** Longest wait. */
  patienceMs: number;
  /** Nothing of the pod is left to stop or to clear. */
  isGone(uid: string): boolean;
  /** Ends the wait. */
  signal: AbortSignal;
}

/** Waits until all of these pods are gone. False where that took too long, or the wait was ended. */
export async function untilGone(pods: readonly AssignedPod[], options: UntilGoneOptions): Promise<boolean> {
  const { clock, patienceMs, isGone, signal } = options;
  const deadlineMs = clock.monotonicMs() + patienceMs;
  const isDone = () => pods.every(({ metadata }) => isGone(metadata.uid));
  while (!signal.aborted && !isDone() && clock.monotonicMs() < deadlineMs)
    await sleep({ clock, delayMs: goneCheckMs, signal }).catch(() => {});
  return isDone();
}

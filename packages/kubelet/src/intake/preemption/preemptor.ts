import type { Clock, Timer } from '@wherry/clock';
import type { Shortage } from '@wherry/podrules';
import type { Counter, Logger } from '@wherry/telemetry';
import type { KillReason } from '../../execution/workers/pod-worker.ts';
import { preemptionPatience } from '../../limits.ts';
import { type AssignedPod, describePod } from '../../pod/assigned-pod.ts';
import { type EventRecorder, podEvents } from '../../reporting/events/recorder.ts';
import { chooseVictims } from './choose-victims.ts';

/** What the preemptor is made of. */
export interface PreemptorOptions {
  clock: Clock;
  logger: Logger;
  recorder: EventRecorder;
  /** Preempted pods, by the resource that was short first. */
  preemptions: Counter;
  kill(uid: string, reason: KillReason): void;
  /** Nothing of the pod runs any more. */
  isGone(uid: string): boolean;
  /** The pod may begin: those that it replaces are gone, or took too long. */
  begin(uid: string): void;
}

interface Waiting {
  victims: readonly string[];
  timer: Timer;
}

const message = 'Preempted in order to admit critical pod';

/** Ends pods so that critical ones fit, and holds these back until there is room. */
export class Preemptor {
  readonly #options: PreemptorOptions;
  /** Pods that were told to go. */
  readonly #leaving = new Set<string>();
  /** Pods that wait for others to be gone. */
  readonly #waiting = new Map<string, Waiting>();

  constructor(options: PreemptorOptions) {
    this.#options = options;
  }

  /** Whether the pod was told to go for another one's sake: its place is taken already. */
  isLeaving(uid: string): boolean {
    return this.#leaving.has(uid);
  }

  /** Whether the pod waits for others to be gone. */
  isHeld(uid: string): boolean {
    return this.#waiting.has(uid);
  }

  /** Ends what has to go, and holds the pod until it is gone. False where no pods could go that would do. */
  makeRoom(pod: AssignedPod, running: readonly AssignedPod[], shortages: readonly Shortage[]): boolean {
    const { clock, begin } = this.#options;
    const { uid } = pod.metadata;
    const victims = chooseVictims(pod, running, shortages);
    if (!victims) return false;
    for (const victim of victims) this.#end(victim, pod, shortages);
    const graces = victims.map(({ spec }) => spec.terminationGracePeriodSeconds ?? 30);
    const patienceMs = Math.max(
      preemptionPatience.leastMs,
      1_000 * preemptionPatience.graceFactor * Math.max(0, ...graces),
    );
    const timer = clock.after(patienceMs, () => {
      this.#waiting.delete(uid);
      begin(uid);
    });
    this.#waiting.set(uid, { victims: victims.map(({ metadata }) => metadata.uid), timer });
    return true;
  }

  /** A pod is gone: those that waited for it alone begin. */
  finished(uid: string): void {
    const { isGone, begin } = this.#options;
    this.#leaving.delete(uid);
    for (const [held, { victims, timer }] of this.#waiting) {
      if (!victims.every((victim) => victim === uid || isGone(victim))) continue;
      timer.cancel();
      this.#waiting.delete(held);
      begin(held);
    }
  }

  /** The pod is not wanted any more. */
  forget(uid: string): void {
    this.#leaving.delete(uid);
    this.#waiting.get(uid)?.timer.cancel();
    this.#waiting.delete(uid);
  }

  close(): void {
    for (const { timer } of this.#waiting.values()) timer.cancel();
  }

  #end(victim: AssignedPod, pod: AssignedPod, shortages: readonly Shortage[]): void {
    const { recorder, logger, kill, preemptions } = this.#options;
    podEvents(recorder, victim).warn('Preempting', message);
    logger.info('a pod is preempted', { pod: describePod(victim), for: describePod(pod) });
    this.#leaving.add(victim.metadata.uid);
    kill(victim.metadata.uid, {
      verdict: {
        phase: 'Failed',
        reason: 'Preempting',
        message,
        ...{ isDisruption: true, yieldsToSuccess: true },
        disruptionMessage: 'Pod was preempted by Kubelet to accommodate a critical pod.',
      },
    });
    preemptions.add(1, { preemption_signal: shortages[0]?.resource ?? '' });
  }
}

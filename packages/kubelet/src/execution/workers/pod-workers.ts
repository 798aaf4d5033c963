import type { Clock, Timer } from '@wherry/clock';
import type { Counter, Logger } from '@wherry/telemetry';
import type { WorkerPhase, WorkerPhases } from '../../board/worker-phases.ts';
import { type AssignedPod, fullNameOf, isStaticPod } from '../../pod/assigned-pod.ts';
import { type EventRecorder, podEvents } from '../../reporting/events/recorder.ts';
import { type KillReason, type PodSteps, PodWorker } from './pod-worker.ts';

/** What the workers are made of. */
export interface PodWorkersOptions {
  steps: PodSteps;
  /** Hears of every worker. */
  phases: WorkerPhases;
  clock: Clock;
  logger: Logger;
  recorder: EventRecorder;
  /** Pods that came back under the UID of one that was still stopping. */
  returned: Counter;
  /** A pod's worker has nothing more to do. */
  onFinished(pod: AssignedPod): void;
}

/** A pod that has to go is given half its grace again, and this at least, before it is told that it is still there. */
const killPatienceSecondsMin = 10;

/**
 * One worker per pod UID. Static pods of the same full name (after an edit) run one after the other; a pod of the API that is
 * made anew while one of its name, deleted by force, still stops does not wait for it.
 */
export class PodWorkers {
  readonly #options: PodWorkersOptions;
  readonly #workers = new Map<string, PodWorker>();
  /** Pods that came back under the UID of one that is still stopping. */
  readonly #returning = new Map<string, AssignedPod>();
  /** Pods whose source dropped them while they still ran. */
  readonly #removed = new Set<string>();
  /** Of pods that have to go: when it is told that they are still there. */
  readonly #kills = new Map<PodWorker, Timer>();

  constructor(options: PodWorkersOptions) {
    this.#options = options;
  }

  /** Takes a new or changed pod. */
  update(pod: AssignedPod): void {
    const { uid } = pod.metadata;
    const worker = this.#workers.get(uid);
    if (!worker) this.#add(pod, false);
    else if (worker.isOrphan || this.#removed.has(uid)) this.#returning.set(uid, pod);
    else worker.update(pod);
  }

  /** Stops a pod that has to go: it was evicted, preempted, or the machine shuts down. */
  kill(uid: string, reason: KillReason): void {
    this.#returning.delete(uid);
    const worker = this.#workers.get(uid);
    if (!worker) return;
    worker.kill(reason);
    const { clock, recorder } = this.#options;
    const graceSeconds = reason.graceSeconds ?? worker.pod.spec.terminationGracePeriodSeconds ?? 0;
    const patienceSeconds = Math.max(killPatienceSecondsMin, Math.floor(graceSeconds * 1.5));
    this.#kills.get(worker)?.cancel();
    const late = clock.after(1_000 * patienceSeconds, () => {
      this.#kills.delete(worker);
      if (worker.phase !== 'syncing' && worker.phase !== 'terminating') return;
      const message = 'Container runtime did not kill the pod within specified grace period.';
      podEvents(recorder, worker.pod).warn('ExceededGracePeriod', message);
    });
    this.#kills.set(worker, late);
  }

  /** A pod removed from its source: its last known version stops with its own grace. */
  remove(uid: string): void {
    this.#returning.delete(uid);
    const worker = this.#workers.get(uid);
    if (!worker) return;
    this.#removed.add(uid);
    worker.kill({});
  }

  /** Stops a pod that the runtime holds and no source names. */
  killOrphan(pod: AssignedPod): void {
    if (!this.#workers.has(pod.metadata.uid)) this.#add(pod, true);
  }

  wake(uid: string): void {
    this.#workers.get(uid)?.wake();
  }

  phaseOf(uid: string): WorkerPhase | undefined {
    return this.#options.phases.of(uid);
  }

  /** Whether containers of a static pod of this full name are being stopped. */
  isStopping(fullName: string): boolean {
    for (const { pod, phase } of this.#workers.values()) {
      if (phase === 'terminating' && isStaticPod(pod) && fullNameOf(pod) === fullName) return true;
    }
    return false;
  }

  /** Whether the pod was removed from its source. */
  isRemoved(uid: string): boolean {
    return this.#removed.has(uid);
  }

  get uids(): Iterable<string> {
    return this.#workers.keys();
  }

  get all(): Iterable<PodWorker> {
    return this.#workers.values();
  }

  /** Forgets the worker of a pod that has finished and is gone from its source. */
  forget(uid: string): void {
    if (this.phaseOf(uid) !== 'finished') return;
    this.#drop(uid);
  }

  /** Ends every worker; containers run on. */
  stop(): void {
    for (const timer of this.#kills.values()) timer.cancel();
    for (const worker of this.#workers.values()) worker.stop();
  }

  #add(pod: AssignedPod, isOrphan: boolean): void {
    const { steps, clock, logger } = this.#options;
    const { uid } = pod.metadata;
    const worker: PodWorker = new PodWorker({
      pod,
      steps,
      clock,
      logger,
      isOrphan,
      mayStart: () => this.#isFirstOfName(worker),
      onFinished: () => this.#finished(worker),
    });
    this.#workers.set(uid, worker);
    this.#options.phases.follow(uid, worker);
    worker.update(pod);
  }

  #drop(uid: string): void {
    this.#workers.delete(uid);
    this.#options.phases.forget(uid);
    this.#removed.delete(uid);
  }

  #isFirstOfName(worker: PodWorker): boolean {
    if (!isStaticPod(worker.pod)) return true;
    const name = fullNameOf(worker.pod);
    for (const other of this.#workers.values()) {
      if (other === worker) return true;
      if (other.phase !== 'finished' && isStaticPod(other.pod) && fullNameOf(other.pod) === name)
        return false;
    }
    return true;
  }

  #finished(worker: PodWorker): void {
    const { uid } = worker.pod.metadata;
    this.#kills.get(worker)?.cancel();
    this.#kills.delete(worker);
    this.#options.onFinished(worker.pod);
    const returning = this.#returning.get(uid);
    this.#returning.delete(uid);
    if (returning || worker.isOrphan || this.#removed.has(uid)) {
      this.#drop(uid);
    }
    if (returning) {
      this.#options.returned.add(1, { static: isStaticPod(returning) ? 'true' : '' });
      this.#add(returning, false);
    }
    const name = fullNameOf(worker.pod);
    for (const other of this.#workers.values()) {
      if (!other.hasStarted && fullNameOf(other.pod) === name) other.wake();
    }
  }
}

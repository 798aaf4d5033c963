import type { Clock, Timer } from '@wherry/clock';
import { isCriError } from '@wherry/cri';
import { isTerminalPhase } from '@wherry/podrules';
import type { Logger } from '@wherry/telemetry';
import type { WorkerPhase } from '../../board/worker-phases.ts';
import { orphanGraceSeconds, runtimeAwayRetryMs, syncErrorRetryMs } from '../../limits.ts';
import { type AssignedPod, describePod } from '../../pod/assigned-pod.ts';
import type { PodVerdict } from '../../reporting/status/pod-status.ts';

/** Why a pod must stop, other than its deletion. */
export interface KillReason {
  /** Overrides the pod's own grace when it is shorter. */
  graceSeconds?: number | undefined;
  verdict?: PodVerdict | undefined;
}

/** How one pass over a pod ended. */
export interface SyncOutcome {
  /** The pod's phase is final: stop what is left of it. */
  isTerminal: boolean;
  /** Why, where its containers did not say it themselves. */
  verdict?: PodVerdict | undefined;
  /** Something was done: look again at once. */
  didWork: boolean;
  /** When to look again at the latest. */
  retryAfterMs: number;
}

/** What a worker does to its pod. Each step may be repeated; each rejects with `signal.reason` when cut short. */
export interface PodSteps {
  sync(pod: AssignedPod, signal: AbortSignal): Promise<SyncOutcome>;
  terminate(pod: AssignedPod, kill: TerminateRequest, signal: AbortSignal): Promise<void>;
  clear(pod: AssignedPod, kill: TerminateRequest, signal: AbortSignal): Promise<void>;
}

/** How a pod is to be stopped. */
export interface TerminateRequest {
  graceSeconds: number;
  verdict: PodVerdict | undefined;
  /** No source names the pod: it is known from the runtime alone. */
  isOrphan: boolean;
}

/** What a worker is made of. */
export interface PodWorkerOptions {
  pod: AssignedPod;
  steps: PodSteps;
  clock: Clock;
  logger: Logger;
  isOrphan?: boolean;
  /** False holds the pod back: another pod of the same full name has not finished. */
  mayStart(): boolean;
  onFinished(): void;
}

/** Runs the steps of one pod, one at a time. What comes in meanwhile is kept in a single slot, newest first. */
export class PodWorker {
  readonly #options: PodWorkerOptions;
  readonly #isOrphan: boolean;
  #pod: AssignedPod;
  #phase: WorkerPhase = 'syncing';
  #graceSeconds: number | undefined;
  #verdict: PodVerdict | undefined;
  #isDirty = false;
  #isRunning = false;
  #hasStarted = false;
  #current: AbortController | undefined;
  #timer: Timer | undefined;

  constructor(options: PodWorkerOptions) {
    this.#options = options;
    this.#pod = options.pod;
    this.#isOrphan = options.isOrphan ?? false;
  }

  get pod(): AssignedPod {
    return this.#pod;
  }

  get phase(): WorkerPhase {
    return this.#phase;
  }

  get hasStarted(): boolean {
    return this.#hasStarted;
  }

  get isOrphan(): boolean {
    return this.#isOrphan;
  }

  /** Takes a newer version of the pod and looks at it. */
  update(pod: AssignedPod): void {
    this.#pod = pod;
    if (pod.metadata.deletionTimestamp || isTerminalPhase(pod.status?.phase) || this.#isOrphan) {
      this.#beginTermination(this.#isOrphan ? orphanGraceSeconds : undefined);
    }
    this.wake();
  }

  /** Stops the pod for good. A later, shorter grace wins; a longer one changes nothing. */
  kill({ graceSeconds, verdict }: KillReason): void {
    this.#verdict ??= verdict;
    this.#beginTermination(graceSeconds);
    this.wake();
  }

  /** Looks at the pod as soon as the present step has ended. */
  wake(): void {
    this.#isDirty = true;
    if (!this.#isRunning) void this.#run();
  }

  /** Ends the worker without touching the pod's containers. */
  stop(): void {
    this.#phase = 'finished';
    this.#timer?.cancel();
    this.#current?.abort(new Error('the kubelet is stopping'));
  }

  #beginTermination(override: number | undefined): void {
    const before = this.#graceSeconds;
    const after = this.#effectiveGrace(override);
    const isNew = this.#phase === 'syncing';
    this.#graceSeconds = after;
    if (isNew) this.#phase = 'terminating';
    const isShorter = before !== undefined && after < before;
    if (isNew || (isShorter && this.#phase === 'terminating')) {
      this.#current?.abort(new Error(`pod ${describePod(this.#pod)} is to stop within ${after} s`));
    }
  }

  #effectiveGrace(override: number | undefined): number {
    const { deletionGracePeriodSeconds, deletionTimestamp } = this.#pod.metadata;
    const given = [
      ...(deletionTimestamp && deletionGracePeriodSeconds !== undefined ? [deletionGracePeriodSeconds] : []),
      ...(override === undefined ? [] : [override]),
    ];
    const wanted =
      given.length > 0 ? Math.min(...given) : (this.#pod.spec.terminationGracePeriodSeconds ?? 30);
    return Math.max(1, Math.min(wanted, this.#graceSeconds ?? Number.POSITIVE_INFINITY));
  }

  async #run(): Promise<void> {
    this.#isRunning = true;
    while (this.#isDirty && this.#phase !== 'finished') {
      this.#isDirty = false;
      this.#timer?.cancel();
      const retryAfterMs = await this.#step();
      if (retryAfterMs !== undefined && !this.#isDirty) this.#wakeAfter(retryAfterMs);
    }
    this.#isRunning = false;
    if (this.#phase === 'finished') this.#options.onFinished();
  }

  #wakeAfter(delayMs: number): void {
    this.#timer?.cancel();
    if (this.#hasEnded()) return;
    this.#timer = this.#options.clock.after(delayMs, () => this.wake());
  }

  #hasEnded(): boolean {
    return this.#phase === 'finished';
  }

  /** Runs the step of the present phase; returns when to look again. */
  async #step(): Promise<number | undefined> {
    // Only who would start containers waits for its name: who stops is waited for.
    if (!this.#hasStarted && this.#phase === 'syncing' && !this.#options.mayStart()) return undefined;
    this.#hasStarted = true;
    const phase = this.#phase;
    const controller = new AbortController();
    this.#current = controller;
    try {
      return await this.#runPhase(phase, controller.signal);
    } catch (error) {
      if (controller.signal.aborted) {
        this.#isDirty = !this.#hasEnded();
        return undefined;
      }
      const retryAfterMs = retryOf(error);
      const facts = { pod: describePod(this.#pod), phase, error, retryAfterMs };
      this.#options.logger.warn('a pod could not be brought to its desired state', facts);
      return retryAfterMs;
    } finally {
      this.#current = undefined;
    }
  }

  async #runPhase(phase: WorkerPhase, signal: AbortSignal): Promise<number | undefined> {
    const { steps } = this.#options;
    if (phase === 'syncing') return this.#afterSync(await steps.sync(this.#pod, signal));
    const request = {
      graceSeconds: this.#graceSeconds ?? 1,
      verdict: this.#verdict,
      isOrphan: this.#isOrphan,
    };
    if (phase === 'terminating') {
      await steps.terminate(this.#pod, request, signal);
      this.#advance('terminated');
    } else {
      await steps.clear(this.#pod, request, signal);
      this.#advance('finished');
    }
    return undefined;
  }

  #advance(phase: WorkerPhase): void {
    if (this.#hasEnded()) return;
    this.#phase = phase;
    this.#isDirty = true;
  }

  #afterSync({ isTerminal, verdict, didWork, retryAfterMs }: SyncOutcome): number {
    this.#verdict ??= verdict;
    if (isTerminal) this.#beginTermination(undefined);
    if (isTerminal || didWork) this.#isDirty = true;
    return retryAfterMs;
  }
}

function retryOf(error: unknown): number {
  const { retryAfterMs } = error as { retryAfterMs?: unknown };
  if (typeof retryAfterMs === 'number') return retryAfterMs;
  return isCriError(error, 'UNAVAILABLE') ? runtimeAwayRetryMs : syncErrorRetryMs;
}

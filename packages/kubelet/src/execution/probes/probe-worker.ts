import type { Clock, Timer } from '@wherry/clock';
import { ContainerState, type ContainerStatus } from '@wherry/cri';
import type { Probe } from '@wherry/kubeapi';
import { probeTriesMax } from '../../limits.ts';
import { millisecondsOf } from '../../observation/pod-record.ts';
import type { Verdict } from '../plan/probe-verdicts.ts';
import type { ProbeOutcome } from './probe-outcome.ts';

/** The three questions asked of a container. */
export type ProbeKind = 'liveness' | 'readiness' | 'startup';

/** What a worker is made of. */
export interface ProbeWorkerOptions {
  kind: ProbeKind;
  probe: Probe;
  clock: Clock;
  /** The newest record of the container; undefined while there is none. */
  container(): ContainerStatus | undefined;
  /** Whether the container passed its startup probe. */
  isStarted(containerId: string): boolean;
  run(containerId: string): Promise<ProbeOutcome>;
  /** A run failed, warned or errored: told as an event. */
  onTrouble(outcome: ProbeOutcome | Error): void;
  /** A container is seen for the first time, in the place of `before` ('' for none). */
  onNewContainer(containerId: string, before: string): void;
  onVerdict(containerId: string, verdict: Verdict): void;
}

/** Asks one question of one container again and again, and turns single answers into verdicts by the thresholds. */
export class ProbeWorker {
  readonly #options: ProbeWorkerOptions;
  #containerId = '';
  /** When it was seen first, on the monotonic clock. */
  #seenMs = 0;
  #isOnHold = false;
  #lastResult: 'success' | 'failure' | undefined;
  #runs = 0;
  #timer: Timer | undefined;
  #isStopped = false;
  #isProbing = false;

  constructor(options: ProbeWorkerOptions) {
    this.#options = options;
  }

  /** Which of the three it asks. */
  get kind(): ProbeKind {
    return this.#options.kind;
  }

  /** The container that was seen last; '' before the first. */
  get containerId(): string {
    return this.#containerId;
  }

  /** Begins; the first question comes after `delayMs`. */
  start(delayMs = 0): void {
    this.#schedule(delayMs);
  }

  /** Asks now instead of at the end of the period. */
  trigger(): void {
    if (!this.#isProbing) this.#schedule(0);
  }

  stop(): void {
    this.#isStopped = true;
    this.#timer?.cancel();
  }

  #schedule(delayMs: number): void {
    this.#timer?.cancel();
    if (this.#isStopped) return;
    this.#timer = this.#options.clock.after(delayMs, () => void this.#tick());
  }

  /** The period counts from one question to the next; one whose answer takes longer is followed by the next at once. */
  async #tick(): Promise<void> {
    const { clock, probe } = this.#options;
    const beganMs = clock.monotonicMs();
    this.#isProbing = true;
    const waitMs = await this.#ask();
    this.#isProbing = false;
    const restMs = (probe.periodSeconds || 10) * 1_000 - (clock.monotonicMs() - beganMs);
    this.#schedule(waitMs ?? Math.max(0, restMs));
  }

  /** Asks once if it is time to. Returns the time to the first question when that is still to come. */
  async #ask(): Promise<number | undefined> {
    const { kind, probe, clock, container, isStarted, onVerdict } = this.#options;
    const status = container();
    if (!status) return undefined;
    if (status.id !== this.#containerId) this.#begin(status.id);
    if (this.#isOnHold) return undefined;
    if (status.state !== ContainerState.CONTAINER_RUNNING) {
      onVerdict(status.id, 'failure');
      return undefined;
    }
    // Its start lies ahead when the clock was set back since.
    const seenForMs = clock.monotonicMs() - this.#seenMs;
    const ageMs = Math.max(seenForMs, clock.nowMs() - millisecondsOf(status.startedAt));
    const earlyMs = (probe.initialDelaySeconds ?? 0) * 1_000 - ageMs;
    if (earlyMs > 0) return earlyMs;
    if (isStarted(status.id) === (kind === 'startup')) return undefined;
    const outcome = await this.#runWithRetries(status.id);
    if (outcome && !this.#isStopped && status.id === this.#containerId) this.#count(outcome, status.id);
    return undefined;
  }

  #begin(containerId: string): void {
    const before = this.#containerId;
    this.#containerId = containerId;
    this.#seenMs = this.#options.clock.monotonicMs();
    this.#isOnHold = false;
    this.#lastResult = undefined;
    this.#runs = 0;
    this.#options.onNewContainer(containerId, before);
  }

  async #runWithRetries(containerId: string): Promise<ProbeOutcome | undefined> {
    let lastError: Error | undefined;
    for (let attempt = 0; attempt < probeTriesMax; attempt += 1) {
      try {
        const outcome = await this.#options.run(containerId);
        if (outcome.result !== 'success' && !this.#isStopped) this.#options.onTrouble(outcome);
        return outcome;
      } catch (error) {
        lastError = error as Error;
      }
    }
    if (lastError && !this.#isStopped) this.#options.onTrouble(lastError);
    return undefined;
  }

  #count({ result }: ProbeOutcome, containerId: string): void {
    const { kind, probe, onVerdict } = this.#options;
    const said = result === 'failure' ? 'failure' : 'success';
    this.#runs = said === this.#lastResult ? this.#runs + 1 : 1;
    this.#lastResult = said;
    const threshold = said === 'failure' ? probe.failureThreshold || 3 : probe.successThreshold || 1;
    if (this.#runs < threshold) return;
    if (kind === 'startup' || (kind === 'liveness' && said === 'failure')) {
      this.#isOnHold = true;
      this.#runs = 0;
    }
    onVerdict(containerId, said);
  }
}

import type { Clock, Timer } from '@wherry/clock';
import { periods } from '../../limits.ts';

/** What a pulse is felt with. */
export interface EtcdPulseOptions {
  clock: Clock;
  /** Asks etcd something small. Rejects when it has not answered. */
  ask(): Promise<unknown>;
}

/** Asks etcd again and again, so that it is known how fast it answers. */
export class EtcdPulse {
  readonly #options: EtcdPulseOptions;
  #timer: Timer | undefined;
  #askedMs: number | undefined;
  #tookMs = 0;
  #isClosed = false;

  constructor(options: EtcdPulseOptions) {
    this.#options = options;
    this.#wait();
  }

  /** Whether the last answer came in this time, and no answer is waited for any longer. */
  answersWithin(timeoutMs: number): boolean {
    const waitedMs = this.#askedMs === undefined ? 0 : this.#options.clock.monotonicMs() - this.#askedMs;
    return Math.max(this.#tookMs, waitedMs) <= timeoutMs;
  }

  close(): void {
    this.#isClosed = true;
    this.#timer?.cancel();
  }

  #wait(): void {
    const { clock } = this.#options;
    this.#timer = clock.after(periods.etcdPulseMs, () => void this.#feel());
  }

  async #feel(): Promise<void> {
    const { clock, ask } = this.#options;
    const askedMs = clock.monotonicMs();
    this.#askedMs = askedMs;
    this.#tookMs = await ask().then(
      () => clock.monotonicMs() - askedMs,
      () => Infinity,
    );
    this.#askedMs = undefined;
    if (!this.#isClosed) this.#wait();
  }
}

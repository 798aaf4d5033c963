import type { Clock } from './clock.ts';

/** What a bucket lets through: so many per second, and so many at once after a rest. 0 per second is without bound. */
export interface RateBucketOptions {
  clock: Clock;
  perSecond: number;
  burst: number;
}

/** Counts what happens against a rate. */
export class RateBucket {
  readonly #options: RateBucketOptions;
  #tokens: number;
  #filledMs: number;

  constructor(options: RateBucketOptions) {
    this.#options = options;
    this.#tokens = options.burst;
    this.#filledMs = options.clock.monotonicMs();
  }

  /** Takes one now; when there is none, says in how many milliseconds there will be, and takes nothing. */
  take(): { waitMs: number } {
    const { clock, perSecond, burst } = this.#options;
    if (perSecond === 0) return { waitMs: 0 };
    const nowMs = clock.monotonicMs();
    this.#tokens = Math.min(burst, this.#tokens + ((nowMs - this.#filledMs) * perSecond) / 1_000);
    this.#filledMs = nowMs;
    if (this.#tokens < 1) return { waitMs: Math.ceil(((1 - this.#tokens) * 1_000) / perSecond) };
    this.#tokens -= 1;
    return { waitMs: 0 };
  }
}

import type { Clock, Timer } from '@wherry/clock';

const nsPerMs = 1_000_000;

/** A clock that tells nanoseconds too, never the same twice and never running backwards within one process. */
export class NanosecondClock implements Clock {
  readonly #clock: Clock;
  #last = 0n;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  nowMs(): number {
    return this.#clock.nowMs();
  }

  monotonicMs(): number {
    return this.#clock.monotonicMs();
  }

  after(delayMs: number, callback: () => void): Timer {
    return this.#clock.after(delayMs, callback);
  }

  /** Nanoseconds since the epoch. */
  now(): bigint {
    const fraction = this.#clock.monotonicMs() % 1;
    const now =
      BigInt(Math.floor(this.#clock.nowMs())) * BigInt(nsPerMs) + BigInt(Math.floor(fraction * nsPerMs));
    this.#last = now > this.#last ? now : this.#last + 1n;
    return this.#last;
  }
}

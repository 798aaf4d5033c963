import type { Clock } from '@wherry/clock';

const nsPerMs = 1_000_000;

/** Nanoseconds since the epoch, never the same twice and never running backwards within one process. */
export class NanosecondClock {
  readonly #clock: Clock;
  #last = 0n;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  now(): bigint {
    const fraction = this.#clock.monotonicMs() % 1;
    const now =
      BigInt(Math.floor(this.#clock.nowMs())) * BigInt(nsPerMs) + BigInt(Math.floor(fraction * nsPerMs));
    this.#last = now > this.#last ? now : this.#last + 1n;
    return this.#last;
  }
}

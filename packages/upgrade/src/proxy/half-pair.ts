import { type Clock, systemClock, type Timer } from '@wherry/clock';
import { halfPairBytesMax, halfPairMs } from '../limits.ts';

/** What a {@link HalfPair} works with. */
export interface HalfPairOptions {
  /** Where the bytes go. */
  send(bytes: Uint8Array): void;
  clock?: Clock | undefined;
}

/**
 * Holds what a client says while it has opened just one of two streams that belong together, for `halfPairMs` at most:
 * each message passes through every process behind this one, and the first of the two is of no use to any of them.
 */
export class HalfPair {
  readonly #send: (bytes: Uint8Array) => void;
  readonly #clock: Clock;
  #held: Uint8Array[] = [];
  #heldBytes = 0;
  #timer: Timer | undefined;

  constructor({ send, clock = systemClock }: HalfPairOptions) {
    this.#send = send;
    this.#clock = clock;
  }

  /** Takes bytes, in order. */
  push(bytes: Uint8Array): void {
    this.#held.push(bytes);
    this.#heldBytes += bytes.length;
  }

  /** Sends everything, unless a pair is open by half. */
  settle(isHalf: boolean): void {
    if (!isHalf || this.#heldBytes > halfPairBytesMax) this.flush();
    else if (this.#heldBytes > 0) this.#timer ??= this.#clock.after(halfPairMs, () => this.flush());
  }

  /** Sends everything. */
  flush(): void {
    this.#timer?.cancel();
    this.#timer = undefined;
    const held = this.#held;
    this.#held = [];
    this.#heldBytes = 0;
    for (const bytes of held) this.#send(bytes);
  }
}

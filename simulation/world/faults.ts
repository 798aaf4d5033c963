import { type Clock, sleep } from '@wherry/clock';
import type { Random } from './random.ts';

/** What may happen to one call. */
export type Fault =
  /** It never arrives: nothing is done, and the caller is told so. */
  | { kind: 'refused' }
  /** It is done, and the answer is lost. */
  | { kind: 'lost' }
  /** It arrives late, or its answer does. */
  | { kind: 'slow'; before: boolean; delayMs: number }
  /** The other end says no. */
  | { kind: 'error'; code: number };

/** Decides which calls go wrong, while there are faults at all. */
export class Faults {
  readonly #random: Random;
  readonly #clock: Clock;
  /** Share of calls that go wrong. */
  rate: number;

  constructor(options: { random: Random; clock: Clock; rate: number }) {
    this.#random = options.random;
    this.#clock = options.clock;
    this.rate = options.rate;
  }

  /** What happens to the next call; undefined for most. */
  next(codes: readonly number[]): Fault | undefined {
    const random = this.#random;
    if (!random.chance(this.rate)) return undefined;
    const kind = random.pick(['refused', 'lost', 'slow', 'slow', 'error'] as const);
    if (kind === 'slow')
      return { kind, before: random.chance(0.5), delayMs: random.pick([50, 700, 3_000, 20_000]) };
    if (kind === 'error') return codes.length > 0 ? { kind, code: random.pick(codes) } : undefined;
    return { kind };
  }

  /** Whether something of this share happens now. */
  happens(share: number): boolean {
    return this.rate > 0 && this.#random.chance(share);
  }

  delay(delayMs: number, signal?: AbortSignal): Promise<void> {
    return sleep({ clock: this.#clock, delayMs, signal });
  }
}

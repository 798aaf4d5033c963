import { orAborted } from '@wherry/bytes';
import { type Clock, deadline } from '@wherry/clock';

/** One at a time for each key, in the order in which they came. */
export class Turns {
  readonly #clock: Clock;
  /** The end of the last turn that was asked for. */
  readonly #last = new Map<string, Promise<void>>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Waits for the turn, and resolves with what ends it. Throws when it has not come after `timeoutMs`. */
  async begin(key: string, timeoutMs: number): Promise<() => void> {
    const previous = this.#last.get(key);
    const { promise: ended, resolve: end } = Promise.withResolvers<void>();
    const turn = previous ? previous.then(() => ended) : ended;
    this.#last.set(key, turn);
    void turn.then(() => {
      if (this.#last.get(key) === turn) this.#last.delete(key);
    });
    if (!previous) return end;
    using waiting = deadline({ clock: this.#clock, timeoutMs });
    try {
      await orAborted(previous, waiting.signal);
      return end;
    } catch (error) {
      end();
      throw error;
    }
  }
}

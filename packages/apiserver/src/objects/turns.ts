import { orAborted } from '@wherry/bytes';

/** One at a time for each key, in the order in which they came. */
export class Turns {
  /** The end of the last turn that was asked for. */
  readonly #last = new Map<string, Promise<void>>();

  /** Waits for the turn, and resolves with what ends it. Rejects with `signal.reason` when that is aborted before. */
  async begin(key: string, signal?: AbortSignal): Promise<() => void> {
    const previous = this.#last.get(key);
    const { promise: ended, resolve: end } = Promise.withResolvers<void>();
    const turn = previous ? previous.then(() => ended) : ended;
    this.#last.set(key, turn);
    void turn.then(() => {
      if (this.#last.get(key) === turn) this.#last.delete(key);
    });
    if (!previous) return end;
    try {
      await (signal ? orAborted(previous, signal) : previous);
      return end;
    } catch (error) {
      end();
      throw error;
    }
  }
}

import { orAborted } from '@wherry/bytes';

/** Lets one work at a time go on for each key; others wait in order. */
export class KeyTurns {
  readonly #last = new Map<string, Promise<unknown>>();

  /** Rejects with `signal.reason` when that is aborted before the turn came. */
  async take<T>(key: string, signal: AbortSignal | undefined, work: () => Promise<T>): Promise<T> {
    const before = this.#last.get(key);
    const turn = Promise.withResolvers<void>();
    const last = (before ?? Promise.resolve()).then(() => turn.promise);
    this.#last.set(key, last);
    try {
      if (before) await (signal ? orAborted(before, signal) : before);
      return await work();
    } finally {
      turn.resolve();
      if (this.#last.get(key) === last) this.#last.delete(key);
    }
  }
}

/** Lets one after the other where they have a key in common, in the order of asking. */
export class KeyedTurns {
  readonly #last = new Map<string, Promise<void>>();

  /** Does it when all that was asked before for one of the keys is done, well or not. */
  take<Result>(keys: readonly string[], work: () => Promise<Result>): Promise<Result> {
    const turn = Promise.all(keys.map((key) => this.#last.get(key))).then(work);
    const done = turn.then(
      () => {},
      () => {},
    );
    for (const key of keys) this.#last.set(key, done);
    void done.then(() => {
      for (const key of keys) if (this.#last.get(key) === done) this.#last.delete(key);
    });
    return turn;
  }
}

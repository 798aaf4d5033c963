/** Lets one after the other, in the order of asking. */
export class Turns {
  #last: Promise<unknown> = Promise.resolve();

  /** Does it when all that was asked before is done, well or not. */
  take<Result>(work: () => Result | Promise<Result>): Promise<Result> {
    const turn = this.#last.then(work);
    this.#last = turn.catch(() => {});
    return turn;
  }
}

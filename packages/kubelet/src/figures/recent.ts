import type { Clock } from '@wherry/clock';

/** An answer that is kept for a moment: who asks meanwhile, or while it is found, shares it. */
export class Recent<Answer> {
  readonly #clock: Clock;
  readonly #ageMs: number;
  readonly #find: () => Promise<Answer>;
  #known: { answer: Answer; atMs: number } | undefined;
  #finding: Promise<Answer> | undefined;

  constructor(options: { clock: Clock; ageMs: number; find(): Promise<Answer> }) {
    this.#clock = options.clock;
    this.#ageMs = options.ageMs;
    this.#find = options.find;
  }

  /** The answer, at most as old as it may be. Rejects as finding it does; the next one tries again. */
  get(): Promise<Answer> {
    if (this.#known && this.#clock.monotonicMs() - this.#known.atMs < this.#ageMs)
      return Promise.resolve(this.#known.answer);
    this.#finding ??= this.#refresh().finally(() => {
      this.#finding = undefined;
    });
    return this.#finding;
  }

  async #refresh(): Promise<Answer> {
    const answer = await this.#find();
    this.#known = { answer, atMs: this.#clock.monotonicMs() };
    return answer;
  }
}

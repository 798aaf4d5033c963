import type { Clock } from '@wherry/clock';

/** How an answer is found, and how long it is good. */
export interface RecentOptions<Answer> {
  clock: Clock;
  ageMs: number;
  find(): Promise<Answer>;
  /** A number that grows when answers from before are no longer good. Default: age alone tells. */
  changes?(): number;
}

/** An answer that is kept for a moment: who asks meanwhile, or while it is found, shares it, unless something has changed. */
export class Recent<Answer> {
  readonly #options: RecentOptions<Answer>;
  #known: { answer: Answer; atMs: number; changes: number } | undefined;
  #finding: { answer: Promise<Answer>; changes: number } | undefined;

  constructor(options: RecentOptions<Answer>) {
    this.#options = options;
  }

  /**
   * The answer, at most as old as it may be, and looked for after the last change before this call. Rejects as finding it does; the next
   * one tries again.
   */
  async get(): Promise<Answer> {
    const { clock, ageMs } = this.#options;
    const changes = this.#changes();
    while (this.#finding && this.#finding.changes < changes) await this.#finding.answer.catch(() => {});
    const known = this.#known;
    if (known && known.changes >= changes && clock.monotonicMs() - known.atMs < ageMs) return known.answer;
    this.#finding ??= this.#begin();
    return this.#finding.answer;
  }

  #changes(): number {
    return this.#options.changes?.() ?? 0;
  }

  #begin(): { answer: Promise<Answer>; changes: number } {
    const changes = this.#changes();
    const answer = this.#refresh(changes).finally(() => {
      this.#finding = undefined;
    });
    return { answer, changes };
  }

  async #refresh(changes: number): Promise<Answer> {
    const answer = await this.#options.find();
    this.#known = { answer, atMs: this.#options.clock.monotonicMs(), changes };
    return answer;
  }
}

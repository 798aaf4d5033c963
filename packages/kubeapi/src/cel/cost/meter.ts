/** What an evaluation has cost so far, and may cost. */
import { CostLimitError } from '../values/value.ts';

export class CostMeter {
  readonly #limit: number;
  #spent = 0;

  constructor(limit: number) {
    this.#limit = limit;
  }

  get spent(): number {
    return this.#spent;
  }

  /** Throws CostLimitError once it is too much. */
  charge(units: number): void {
    this.#spent += units;
    if (this.#spent > this.#limit) throw new CostLimitError();
  }
}

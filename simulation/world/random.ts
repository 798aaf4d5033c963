/** Numbers that follow from a seed: the same seed, the same run (mulberry32). */
export class Random {
  #state: number;

  constructor(seed: number) {
    this.#state = (seed * 2_654_435_769 + 1) >>> 0;
  }

  /** In [0, 1). */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let value = this.#state;
    value = Math.imul(value ^ (value >>> 15), value | 1);
    value ^= value + Math.imul(value ^ (value >>> 7), value | 61);
    return ((value ^ (value >>> 14)) >>> 0) / 4_294_967_296;
  }

  /** A whole number from `low` to `high`, both included. */
  between(low: number, high: number): number {
    return low + Math.floor(this.next() * (high - low + 1));
  }

  chance(share: number): boolean {
    return this.next() < share;
  }

  pick<T>(choices: readonly T[]): T {
    return choices[Math.floor(this.next() * choices.length)] as T;
  }

  /** Another stream of numbers, which what is drawn from this one later does not change. */
  fork(): Random {
    return new Random(this.between(0, 2 ** 31));
  }
}

/** Indexes as a text lists them, `0,2-5,7`: two numbers each, however many they are. */
export class IndexRanges {
  /** In ascending order; first and last of each. */
  readonly #ranges: readonly (readonly [number, number])[];

  private constructor(ranges: readonly (readonly [number, number])[]) {
    this.#ranges = ranges;
  }

  /** Reads the text; what is no interval is left out, and so are indexes from `completions` on. */
  static parse(text: string, completions: number): IndexRanges {
    const ranges: [number, number][] = [];
    for (const [, first, last = first] of text.matchAll(/(?:^|,)(\d+)(?:-(\d+))?(?=,|$)/g)) {
      const range: [number, number] = [Number(first), Math.min(Number(last), completions - 1)];
      if (range[0] <= range[1]) ranges.push(range);
    }
    return new IndexRanges(ranges.sort(([left], [right]) => left - right));
  }

  /** How many they are, where none is listed twice. */
  get size(): number {
    return this.#ranges.reduce((sum, [first, last]) => sum + last - first + 1, 0);
  }

  has(index: number): boolean {
    let [low, high] = [0, this.#ranges.length - 1];
    while (low < high) {
      const middle = Math.ceil((low + high) / 2);
      if (this.#ranges[middle]![0] <= index) low = middle;
      else high = middle - 1;
    }
    const [first, last] = this.#ranges[low] ?? [0, -1];
    return first <= index && index <= last;
  }

  *[Symbol.iterator](): Generator<number> {
    for (const [first, last] of this.#ranges) for (let index = first; index <= last; index += 1) yield index;
  }
}

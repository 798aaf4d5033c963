import { IndexRanges } from './index-ranges.ts';

/** Indexes of an Indexed job, as its status writes them: `0,2-5,7`. */
export class IndexSet {
  readonly #indexes: Set<number>;

  constructor(indexes: Iterable<number> = []) {
    this.#indexes = new Set(indexes);
  }

  /** Reads the text; what is no interval is left out, and so are indexes from `completions` on. */
  static parse(text: string, completions: number): IndexSet {
    return new IndexSet(IndexRanges.parse(text, completions));
  }

  get size(): number {
    return this.#indexes.size;
  }

  has(index: number): boolean {
    return this.#indexes.has(index);
  }

  with(indexes: Iterable<number>): IndexSet {
    return new IndexSet([...this.#indexes, ...indexes]);
  }

  [Symbol.iterator](): Iterator<number> {
    return this.#indexes.values();
  }

  toString(): string {
    const parts: string[] = [];
    let run: number[] = [];
    const close = () => {
      const [first, last] = [run[0], run.at(-1)];
      if (run.length > 2) parts.push(`${first}-${last}`);
      else parts.push(...run.map(String));
      run = [];
    };
    for (const index of [...this.#indexes].sort((a, b) => a - b)) {
      if (run.length > 0 && run.at(-1) !== index - 1) close();
      run.push(index);
    }
    close();
    return parts.join(',');
  }
}

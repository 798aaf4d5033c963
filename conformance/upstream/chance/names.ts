/** Names for what no two servers have in common: the same for the same place in both servers' stories. */
export class Names {
  readonly #names = new Map<string, string>();
  readonly #counts = new Map<string, number>();

  /** `sort#1` for the first value of a sort that is met, and so on. */
  of(sort: string, value: string): string {
    const key = `${sort} ${value}`;
    const known = this.#names.get(key);
    if (known !== undefined) return known;
    const count = (this.#counts.get(sort) ?? 0) + 1;
    this.#counts.set(sort, count);
    const name = `${sort}#${count}`;
    this.#names.set(key, name);
    return name;
  }
}

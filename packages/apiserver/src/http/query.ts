import { badRequest } from '@wherry/kubeapi';

/** The query parameters of a request, read with upstream's conversions; each throws a 400 on what it can't read. */
export class Query {
  readonly #parameters: URLSearchParams;

  constructor(parameters: URLSearchParams) {
    this.#parameters = parameters;
  }

  /** The same without some parameters. */
  without(...names: string[]): Query {
    const kept = new URLSearchParams(this.#parameters);
    for (const name of names) kept.delete(name);
    return new Query(kept);
  }

  text(name: string): string {
    return this.#parameters.get(name) ?? '';
  }

  list(name: string): string[] {
    return this.#parameters.getAll(name);
  }

  has(name: string): boolean {
    return this.#parameters.has(name);
  }

  /** Absent, `false` and `0` are false; everything else, the empty text too, is true. */
  flag(name: string): boolean {
    const value = this.#parameters.get(name);
    return value !== null && value.toLowerCase() !== 'false' && value !== '0';
  }

  /** Undefined when absent. */
  integer(name: string): number | undefined {
    if (!this.has(name)) return undefined;
    const text = this.text(name);
    if (!/^[+-]?\d{1,15}$/.test(text)) {
      const why = /^[+-]?\d+$/.test(text) ? 'value out of range' : 'invalid syntax';
      throw badRequest(`strconv.ParseInt: parsing ${JSON.stringify(text)}: ${why}`);
    }
    return Number(text);
  }
}

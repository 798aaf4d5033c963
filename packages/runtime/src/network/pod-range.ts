import { readFileSync } from 'node:fs';
import { hasCode, writeFileAtomicSync } from '@wherry/linux';

const defaultRange = '10.88.0.0/16';

/** The range of pods' addresses: given once and for all, or what a kubelet last said, kept in a file. */
export class PodRange {
  readonly #fixed: string | undefined;
  readonly #file: string;

  constructor(options: { fixed: string | undefined; file: string }) {
    this.#fixed = options.fixed;
    this.#file = options.file;
  }

  get isFixed(): boolean {
    return this.#fixed !== undefined;
  }

  /** The range in force when a runtime starts. */
  read(): string {
    if (this.#fixed !== undefined) return this.#fixed;
    try {
      return readFileSync(this.#file, 'utf8').trim() || defaultRange;
    } catch (error) {
      if (hasCode(error, 'ENOENT')) return defaultRange;
      throw error;
    }
  }

  /** Remembers a range for the next start. */
  keep(range: string): void {
    writeFileAtomicSync(this.#file, `${range}\n`);
  }
}

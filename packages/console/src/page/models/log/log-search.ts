import { limits } from '../../limits.ts';
import type { LogBuffer } from './log-buffer.ts';

/** Where what is looked for stands. */
export interface Match {
  /** Which line it is of all that have come. */
  line: number;
  start: number;
  end: number;
}

/** What is looked for in a log that grows: where it stands, in any case of its letters, and which of these places is looked at. */
export class LogSearch {
  #query = '';
  #pattern: RegExp | undefined;
  #matches: Match[] = [];
  #current: Match | undefined;
  /** Lines that have been looked through. */
  #seen = 0;

  get query(): string {
    return this.#query;
  }

  /** The oldest first, at most `limits.logMatchesMax`. */
  get matches(): readonly Match[] {
    return this.#matches;
  }

  get current(): Match | undefined {
    return this.#current;
  }

  /** `3 of 17`; empty while nothing is looked for. */
  get words(): string {
    if (!this.#pattern) return '';
    const { length } = this.#matches;
    const count = length === limits.logMatchesMax ? `the first ${length}` : `${length}`;
    return this.#current ? `${this.#matches.indexOf(this.#current) + 1} of ${count}` : `${count} found`;
  }

  /** Looks for something else; nothing for an empty text. */
  lookFor(query: string, buffer: LogBuffer): void {
    this.#query = query;
    this.#pattern =
      query === '' ? undefined : new RegExp(query.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&'), 'giu');
    this.#matches = [];
    this.#current = undefined;
    this.#seen = 0;
    this.update(buffer);
  }

  /** Looks through the lines that have come since, and forgets those that have gone. */
  update(buffer: LogBuffer): void {
    const { dropped, count, lines } = buffer;
    if (count < this.#seen) this.#seen = 0;
    const gone = this.#matches.findIndex(({ line }) => line >= dropped);
    this.#matches.splice(0, gone === -1 ? this.#matches.length : gone);
    if (this.#current && this.#current.line < dropped) this.#current = undefined;
    for (let line = Math.max(this.#seen, dropped); this.#pattern && line < count; line += 1)
      this.#lookThrough(line, lines[line - dropped]?.text ?? '', this.#pattern);
    this.#seen = count;
  }

  /** Goes to the next place, or the one before, and round at the ends. */
  step(by: 1 | -1): void {
    const { length } = this.#matches;
    const at = this.#current ? this.#matches.indexOf(this.#current) + by : by === 1 ? 0 : length - 1;
    this.#current = this.#matches[(at + length) % length];
  }

  #lookThrough(line: number, text: string, pattern: RegExp): void {
    for (const { index, 0: found } of text.matchAll(pattern)) {
      if (this.#matches.length >= limits.logMatchesMax) return;
      this.#matches.push({ line, start: index, end: index + found.length });
    }
  }
}

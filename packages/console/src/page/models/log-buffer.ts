import { limits } from '../limits.ts';

/** What terminals obey and people do not read: colours, positions, titles. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for
const controlSequence = /\u001b(?:\[[0-?]*[ -/]*[@-~]|\][^\u0007\u001b]*(?:\u0007|\u001b\\)?|[@-Z\\-_])/g;

/** Lines of a log in the order in which they came, at most so many and so long; the oldest go first. */
export class LogBuffer {
  readonly #linesMax: number;
  readonly #charactersMax: number;
  #lines: string[] = [];
  #characters = 0;
  #dropped = 0;

  constructor({ linesMax, charactersMax }: { linesMax?: number; charactersMax?: number } = {}) {
    this.#linesMax = linesMax ?? limits.logLinesMax;
    this.#charactersMax = charactersMax ?? limits.logCharactersMax;
  }

  get lines(): readonly string[] {
    return this.#lines;
  }

  /** How many lines have gone. */
  get dropped(): number {
    return this.#dropped;
  }

  /** How many lines have come. */
  get count(): number {
    return this.#dropped + this.#lines.length;
  }

  push(line: string): void {
    const text = line.replace(controlSequence, '').slice(0, this.#charactersMax);
    this.#lines.push(text);
    this.#characters += text.length;
    let gone = 0;
    while (this.#lines.length - gone > this.#linesMax || this.#characters > this.#charactersMax) {
      this.#characters -= this.#lines[gone]?.length ?? 0;
      gone += 1;
    }
    if (gone > 0) this.#lines.splice(0, gone);
    this.#dropped += gone;
  }
}

import { limits } from '../../limits.ts';
import { ColouredLines, type LogLine } from './coloured-lines.ts';

/** Lines of a log in the order in which they came, at most so many and so long; the oldest go first. */
export class LogBuffer {
  readonly #linesMax: number;
  readonly #charactersMax: number;
  #colours = new ColouredLines();
  #lines: LogLine[] = [];
  #characters = 0;
  #dropped = 0;

  constructor({ linesMax, charactersMax }: { linesMax?: number; charactersMax?: number } = {}) {
    this.#linesMax = linesMax ?? limits.logLinesMax;
    this.#charactersMax = charactersMax ?? limits.logCharactersMax;
  }

  get lines(): readonly LogLine[] {
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
    this.#add(this.#colours.read(line.slice(0, this.#charactersMax)));
  }

  /** A line of the page's own, between what two instances wrote: the second has no colours of the first. */
  pushNote(text: string): void {
    this.#colours = new ColouredLines();
    this.#add({ text, spans: [{ text, looks: ['own'] }] });
  }

  #add(read: LogLine): void {
    this.#lines.push(read);
    this.#characters += read.text.length;
    let gone = 0;
    while (this.#lines.length - gone > this.#linesMax || this.#characters > this.#charactersMax) {
      this.#characters -= this.#lines[gone]?.text.length ?? 0;
      gone += 1;
    }
    if (gone > 0) this.#lines.splice(0, gone);
    this.#dropped += gone;
  }
}

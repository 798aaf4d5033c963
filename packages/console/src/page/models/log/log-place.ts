import { compareTimestamps } from '@wherry/client';

/**
 * How far a log has been read, by the times that its lines have: what is read again from {@link sinceTime}, of the same
 * instance of a container or of those after it, is told apart from what is new.
 */
export class LogPlace {
  readonly #keepsTimes: boolean;
  readonly #tailLines: number;
  #time = '';
  /** How many lines have that time. */
  #linesAtTime = 0;
  /** All lines have it. */
  #isFirstTime = true;
  /** Lines of that time that were read before, and come again. */
  #toSkip = 0;
  #isAgain = false;

  /** `tailLines`: with how many the log began. */
  constructor({ keepsTimes, tailLines }: { keepsTimes: boolean; tailLines: number }) {
    this.#keepsTimes = keepsTimes;
    this.#tailLines = tailLines;
  }

  /** Undefined while nothing was read. The API keeps its whole seconds alone, so that lines come again. */
  get sinceTime(): string | undefined {
    return this.#time || undefined;
  }

  /** Whether an instance that was started then can have lines that were not read. */
  isBefore(startedMs: number): boolean {
    const wholeSecond = this.#time.replace(/\.\d+/, '');
    return this.#time === '' || Date.parse(wholeSecond) <= startedMs;
  }

  /** Call before what may have been read is read again. */
  again(): void {
    this.#isAgain = this.#time !== '';
    // What was written at one time may have begun before the tail.
    const isCut = this.#isFirstTime && this.#linesAtTime >= this.#tailLines;
    this.#toSkip = isCut ? Number.POSITIVE_INFINITY : this.#linesAtTime;
  }

  /** The line without its time, or with it where that is kept; undefined for one that was read before. */
  take(line: string): string | undefined {
    const [, time = '', text = ''] = /^(\d{4}-\d\d-\d\dT\S+) ?(.*)$/s.exec(line) ?? [];
    // A line of the server's own.
    if (Number.isNaN(Date.parse(time))) return line;
    if (this.#isAgain) {
      const order = compareTimestamps(time, this.#time);
      if (order < 0) return undefined;
      if (order === 0 && this.#toSkip > 0) {
        this.#toSkip -= 1;
        return undefined;
      }
      this.#isAgain = order === 0;
    }
    if (time !== this.#time) {
      this.#isFirstTime = this.#time === '';
      this.#linesAtTime = 0;
    }
    this.#time = time;
    this.#linesAtTime += 1;
    return this.#keepsTimes ? line : text;
  }
}

import { systemClock } from '@wherry/clock';
import { paint } from './colours.ts';

/** Prints what a long command does: one line per step with its time. */
export class Steps {
  readonly #startedMs = systemClock.monotonicMs();
  readonly #write: (line: string) => void;

  constructor(write: (line: string) => void = (line) => process.stderr.write(`${line}\n`)) {
    this.#write = write;
  }

  /** Runs one step and prints its line, with what `work` returns as detail. A failed step is printed as such. */
  async run(title: string, work: () => Promise<string | undefined> | string | undefined): Promise<void> {
    const begunMs = systemClock.monotonicMs();
    try {
      const detail = await work();
      this.#line(paint('✓', 'good', process.stderr), title, detail, begunMs);
    } catch (error) {
      this.#line(paint('✗', 'bad', process.stderr), title, undefined, begunMs);
      throw error;
    }
  }

  /** Seconds since the first step, with two decimals. */
  get elapsedSeconds(): string {
    return ((systemClock.monotonicMs() - this.#startedMs) / 1000).toFixed(2);
  }

  say(line: string): void {
    this.#write(line);
  }

  #line(mark: string, title: string, detail: string | undefined, begunMs: number): void {
    const seconds = ((systemClock.monotonicMs() - begunMs) / 1000).toFixed(2);
    this.#write(`  ${mark} ${title.padEnd(14)} ${seconds.padStart(6)} s  ${detail ?? ''}`.trimEnd());
  }
}

import { writeSync } from 'node:fs';
import { hasCode } from '@wherry/linux';
import { createLogger } from '@wherry/telemetry';

const stderrDescriptor = 2;

/**
 * Where the lines of a part's log go. What cannot be written, on a full disk or because nobody reads any more, is dropped, and
 * counted in the first line that goes through again: Node's own stream would end the process, and be closed for good.
 */
export class LogOutput {
  readonly #component: string;
  readonly #descriptor: number;
  #lostLines = 0;
  #reason: unknown;
  /** What was written last is a piece of a line. */
  #isTorn = false;
  /** Node has lines, or pieces, that are still to go. */
  #isQueued = false;

  /** `component` says who lost the lines. */
  constructor(component: string, descriptor = stderrDescriptor) {
    this.#component = component;
    this.#descriptor = descriptor;
  }

  /** Takes one line, without its newline. Never throws. */
  write(line: string): void {
    if (this.#lostLines > 0) this.#tellLoss();
    if (this.#lostLines > 0 || !this.#put(line)) this.#lostLines++;
  }

  #tellLoss(): void {
    const [lines, error] = [this.#lostLines, this.#reason];
    const write = (notice: string) => {
      if (this.#put(notice)) this.#lostLines = 0;
    };
    createLogger(this.#component, { write }).warn('lines of this log could not be written', { lines, error });
  }

  #put(line: string): boolean {
    const bytes = Buffer.from(`${this.#isTorn ? '\n' : ''}${line}\n`);
    this.#isQueued &&= process.stderr.writableLength > 0;
    if (this.#isQueued) return this.#queue(bytes);
    let written = 0;
    try {
      while (written < bytes.length) written += writeSync(this.#descriptor, bytes, written);
      this.#isTorn = false;
      return true;
    } catch (error) {
      // A pipe or terminal that is full and does not block.
      if (hasCode(error, 'EAGAIN')) return this.#queue(bytes.subarray(written));
      this.#isTorn ||= written > 0;
      this.#reason = error;
      return false;
    }
  }

  #queue(bytes: Uint8Array): true {
    this.#isQueued = true;
    this.#isTorn = false;
    process.stderr.write(bytes);
    return true;
  }
}

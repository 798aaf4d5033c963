import { logEntryBytesMax } from '../limits.ts';
import type { LogDecoder } from './log-decoder.ts';

const newline = 0x0a;

/** Decodes blocks of a log in order and passes on what is shown; keeps the start of an unfinished entry. */
export class LogOutput {
  readonly #decoder: LogDecoder;
  readonly #write: (bytes: Uint8Array) => Promise<void>;
  #rest: Buffer = Buffer.alloc(0);
  #skipLines = 0;
  /** Inside of what goes on for too long to be an entry: nothing of it is kept. */
  #isOverlong = false;

  constructor(decoder: LogDecoder, write: (bytes: Uint8Array) => Promise<void>) {
    this.#decoder = decoder;
    this.#write = write;
  }

  /** Whether nothing more will be shown. */
  get isDone(): boolean {
    return this.#decoder.isDone;
  }

  /** Leaves out the next `lines` lines. */
  skip(lines: number): void {
    this.#skipLines = lines;
  }

  /**
   * Takes the bytes of `block` from `start` on, and changes them. The room before them is for the unfinished entry;
   * where that is longer, both are copied.
   */
  async take(block: Buffer, start: number): Promise<void> {
    const begin = this.#isOverlong ? this.#afterOverlong(block, start) : start;
    if (begin === undefined) return;
    const whole = this.#behindRest(block, begin);
    const wanted = this.#skipLines > 0 ? this.#afterSkipped(whole) : whole;
    const { output, consumed } = this.#decoder.decode(wanted);
    this.#keep(wanted.subarray(consumed));
    if (output.length > 0) await this.#write(output);
  }

  /** Forgets an unfinished entry: its file goes on no more. */
  drop(): void {
    this.#rest = Buffer.alloc(0);
    this.#isOverlong = false;
  }

  #keep(rest: Buffer): void {
    this.#isOverlong = rest.length > logEntryBytesMax;
    this.#rest = this.#isOverlong ? Buffer.alloc(0) : Buffer.from(rest);
  }

  /** Where the next entry begins; undefined when that is not in this block. */
  #afterOverlong(block: Buffer, start: number): number | undefined {
    const end = block.indexOf(newline, start);
    if (end < 0) return undefined;
    this.#isOverlong = false;
    if (this.#skipLines > 0) this.#skipLines -= 1;
    return end + 1;
  }

  #behindRest(block: Buffer, start: number): Buffer {
    const rest = this.#rest;
    const from = start - rest.length;
    if (from < 0) return Buffer.concat([rest, block.subarray(start)]);
    rest.copy(block, from);
    return block.subarray(from);
  }

  #afterSkipped(block: Buffer): Buffer {
    let position = 0;
    while (this.#skipLines > 0) {
      const end = block.indexOf(newline, position);
      if (end < 0) break;
      this.#skipLines -= 1;
      position = end + 1;
    }
    return block.subarray(position);
  }
}

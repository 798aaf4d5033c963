import type { LogDecoder } from './log-decoder.ts';

const newline = 0x0a;

/** Decodes blocks of a log in order and passes on what is shown; keeps the start of an unfinished record. */
export class LogOutput {
  readonly #decoder: LogDecoder;
  readonly #write: (bytes: Uint8Array) => Promise<void>;
  #rest: Buffer = Buffer.alloc(0);
  #skipLines = 0;

  constructor(decoder: LogDecoder, write: (bytes: Uint8Array) => Promise<void>) {
    this.#decoder = decoder;
    this.#write = write;
  }

  /** Whether nothing more will be shown. */
  get isDone(): boolean {
    return this.#decoder.isDone;
  }

  /** Bytes of the unfinished record; a block handed to {@link take} begins with room for them. */
  get restBytes(): number {
    return this.#rest.length;
  }

  /** Leaves out the next `lines` lines. */
  skip(lines: number): void {
    this.#skipLines = lines;
  }

  /** Copies the unfinished record to the start of `block`. */
  fillRest(block: Buffer): void {
    this.#rest.copy(block);
  }

  /** Takes a block that begins with the unfinished record, and changes it. */
  async take(block: Buffer): Promise<void> {
    const wanted = this.#skipLines > 0 ? this.#afterSkipped(block) : block;
    const { output, consumed } = this.#decoder.decode(wanted);
    this.#rest = Buffer.from(wanted.subarray(consumed));
    if (output.length > 0) await this.#write(output);
  }

  /** Forgets an unfinished record: its file goes on no more. */
  drop(): void {
    this.#rest = Buffer.alloc(0);
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

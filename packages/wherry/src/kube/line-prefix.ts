const newline = 0x0a;

/** Puts a text in front of each line; holds back an unfinished line, so that lines of several logs never mix. */
export class LinePrefix {
  readonly #prefix: Buffer;
  #rest: Buffer = Buffer.alloc(0);

  constructor(prefix: string) {
    this.#prefix = Buffer.from(prefix);
  }

  /** The finished lines that `chunk` completes. */
  apply(chunk: Uint8Array): Buffer {
    const bytes = Buffer.concat([this.#rest, chunk]);
    const parts: Buffer[] = [];
    let start = 0;
    for (let end = bytes.indexOf(newline); end !== -1; end = bytes.indexOf(newline, start)) {
      parts.push(this.#prefix, bytes.subarray(start, end + 1));
      start = end + 1;
    }
    this.#rest = bytes.subarray(start);
    return Buffer.concat(parts);
  }

  /** The last line when it lacks its newline. */
  rest(): Buffer {
    return this.#rest.length === 0
      ? this.#rest
      : Buffer.concat([this.#prefix, this.#rest, Buffer.from('\n')]);
  }
}

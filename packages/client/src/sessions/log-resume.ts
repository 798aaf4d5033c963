const newline = 0x0a;
const space = 0x20;
const text = new TextDecoder();
const bytes = new TextEncoder();

/**
 * Passes a log that is fetched with timestamps on to the reader, and remembers where it is: after a cut, the same log
 * fetched again from {@link sinceTime} continues at the very next byte. Lines are never held whole.
 */
export class LogPosition {
  readonly #keepTimestamps: boolean;
  /** How many lines the log began with; lines in front of them may carry the timestamp of the first. */
  readonly #tailLines: number;
  /** True while all that was read carries one timestamp. */
  #isFirstTimestamp = true;
  /** Timestamp of the line that is being read or was read last. */
  #timestamp = '';
  /** Complete lines passed on that carry that timestamp. */
  #linesAtTimestamp = 0;
  /** True while a line has been begun and its end has not come. */
  #lineIsOpen = false;
  /** Bytes of the open line passed on, without its timestamp. */
  #lineBytes = 0;

  // Of the current fetch:
  #stamp = '';
  #inStamp = true;
  #skipLine = false;
  #skipBytes = 0;
  /** A line of the server's own: no part of the log, so nothing to go on from. */
  #isForeign = false;
  /** While resuming: complete lines at the remembered timestamp still to be left out. */
  #linesToSkip = 0;
  #resuming = false;

  /** `tailLines` is what the first fetch asks for; undefined for the whole log, or for what came since a moment. */
  constructor(keepTimestamps: boolean, tailLines = Number.POSITIVE_INFINITY) {
    this.#keepTimestamps = keepTimestamps;
    this.#tailLines = tailLines;
  }

  /** RFC 3339 time to ask for next; undefined when nothing came yet. The API keeps whole seconds of it only. */
  get sinceTime(): string | undefined {
    return this.#timestamp === '' ? undefined : this.#timestamp;
  }

  /** Call before each fetch but the first. */
  resume(): void {
    this.#stamp = '';
    this.#inStamp = true;
    this.#skipLine = false;
    this.#isForeign = false;
    this.#resuming = this.#timestamp !== '';
    // What was written in one piece has one timestamp, and was there as a whole when its end was asked for.
    const hasWholeTail = this.#isFirstTimestamp && this.#linesAtTimestamp >= this.#tailLines;
    this.#linesToSkip = hasWholeTail ? Number.POSITIVE_INFINITY : this.#linesAtTimestamp;
    this.#skipBytes = 0;
  }

  /** The parts of `chunk` that the reader has not seen yet. */
  *advance(chunk: Uint8Array): Generator<Uint8Array> {
    let at = 0;
    while (at < chunk.length) {
      if (this.#inStamp) {
        at = this.#readStamp(chunk, at);
        if (!this.#inStamp) yield* this.#beginLine();
        continue;
      }
      const end = chunk.indexOf(newline, at);
      const stop = end === -1 ? chunk.length : end + 1;
      yield* this.#pass(chunk.subarray(at, stop));
      if (end !== -1) this.#endLine();
      at = stop;
    }
  }

  #readStamp(chunk: Uint8Array, from: number): number {
    for (let at = from; at < chunk.length; at += 1) {
      if (chunk[at] === space) {
        this.#stamp += text.decode(chunk.subarray(from, at));
        this.#inStamp = false;
        return at + 1;
      }
    }
    this.#stamp += text.decode(chunk.subarray(from));
    return chunk.length;
  }

  *#beginLine(): Generator<Uint8Array> {
    this.#isForeign = Number.isNaN(splitTimestamp(this.#stamp)[0]);
    if (this.#isForeign) {
      yield bytes.encode(`${this.#stamp} `);
      return;
    }
    const order = this.#resuming ? compareTimestamps(this.#stamp, this.#timestamp) : 1;
    this.#skipLine = order < 0 || (order === 0 && this.#linesToSkip > 0);
    if (this.#skipLine) return;
    const continues = this.#resuming && order === 0 && this.#lineIsOpen;
    this.#skipBytes = continues ? this.#lineBytes : 0;
    this.#resuming = false;
    if (continues) return;
    if (this.#stamp !== this.#timestamp) {
      this.#isFirstTimestamp = this.#timestamp === '';
      this.#linesAtTimestamp = 0;
    }
    this.#timestamp = this.#stamp;
    this.#lineIsOpen = true;
    this.#lineBytes = 0;
    if (this.#keepTimestamps) yield bytes.encode(`${this.#stamp} `);
  }

  *#pass(part: Uint8Array): Generator<Uint8Array> {
    if (this.#skipLine) return;
    if (this.#isForeign) {
      yield part;
      return;
    }
    const skipped = Math.min(this.#skipBytes, part.length);
    this.#skipBytes -= skipped;
    this.#lineBytes += part.length - skipped;
    if (skipped < part.length) yield part.subarray(skipped);
  }

  #endLine(): void {
    if (this.#isForeign) this.#isForeign = false;
    else if (!this.#skipLine) {
      this.#linesAtTimestamp += 1;
      this.#lineIsOpen = false;
    } else if (this.#stamp === this.#timestamp) this.#linesToSkip -= 1;
    this.#stamp = '';
    this.#inStamp = true;
    this.#skipLine = false;
  }
}

/** Orders RFC 3339 times with up to nine digits of a second, whatever their zones. */
export function compareTimestamps(left: string, right: string): number {
  const [leftMs, leftRest] = splitTimestamp(left);
  const [rightMs, rightRest] = splitTimestamp(right);
  return leftMs - rightMs || leftRest - rightRest;
}

/** Whole seconds in ms since the epoch, and nanoseconds of the second. */
function splitTimestamp(text: string): [number, number] {
  const fraction = /\.(\d+)/.exec(text)?.[1] ?? '';
  const seconds = Date.parse(text.replace(/\.\d+/, ''));
  return [seconds, Number(fraction.slice(0, 9).padEnd(9, '0'))];
}

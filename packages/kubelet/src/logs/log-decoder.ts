import { bytesOf, comparableTime, isTimeBefore, LogEntry, type LogStream, moveTime } from '@wherry/cri/log';

/** What of a log is shown, and how. */
export interface LogFilter {
  /** Puts each line's time in front of it, with nine digits of fraction. */
  timestamps: boolean;
  /** Entries before this RFC 3339 time in UTC are left out. */
  since?: string | undefined;
  /** Shows one stream alone. */
  stream?: LogStream | undefined;
  /** Ends after so many bytes, in the middle of a line if need be. */
  limitBytes?: number | undefined;
  /** Ends after so many entries. */
  entriesMax?: number | undefined;
}

const { newline } = bytesOf;
/**
 * An entry without a fraction grows by one byte when its time is shown with nine digits, and has 28 bytes at least:
 * room for that, and for its digits before they are read.
 */
const timeRoomShare = 1 / 16;
const timeRoomMin = 64;

/**
 * Turns entries into what is shown. Feed it blocks; it holds no bytes itself. What is shown of a block moves to its
 * start by one call per entry, so that there is no second buffer and no object per entry.
 */
export class LogDecoder {
  readonly #filter: LogFilter;
  readonly #since: Uint8Array | undefined;
  readonly #entry = new LogEntry();
  #bytesLeft: number;
  #entriesLeft: number;
  #isInsideLine = false;
  #malformed = 0;

  constructor(filter: LogFilter) {
    this.#filter = filter;
    this.#since =
      filter.since === undefined ? undefined : Buffer.from(comparableTime(filter.since), 'latin1');
    this.#bytesLeft = filter.limitBytes ?? Number.POSITIVE_INFINITY;
    this.#entriesLeft = filter.entriesMax ?? Number.POSITIVE_INFINITY;
  }

  /** Whether a limit is reached: nothing more will be shown. */
  get isDone(): boolean {
    return this.#bytesLeft <= 0 || this.#entriesLeft <= 0;
  }

  /** Lines that were no entries and were left out. */
  get malformed(): number {
    return this.#malformed;
  }

  /**
   * Decodes the whole entries at the start of `block`. The block is changed: where times are not shown, the output is
   * a view of it. `consumed` says where the unfinished rest begins, which is left as it was.
   */
  decode(block: Buffer): { output: Uint8Array; consumed: number } {
    const room = this.#filter.timestamps ? Math.ceil(block.length * timeRoomShare) + timeRoomMin : 0;
    const work = room > 0 ? withRoom(block, room) : block;
    let written = 0;
    let position = room;
    while (this.#entriesLeft > 0 && this.#bytesLeft > 0) {
      const end = work.indexOf(newline, position);
      if (end < 0) break;
      this.#entriesLeft -= 1;
      written = this.#show(work, position, end, written);
      position = end + 1;
    }
    return { output: work.subarray(0, written), consumed: position - room };
  }

  /** Moves what is shown of the entry `[start, end)` to `written`; returns where that ends. */
  #show(block: Buffer, start: number, end: number, written: number): number {
    const entry = this.#entry;
    if (!entry.read(block, start, end)) {
      this.#malformed += 1;
      return written;
    }
    const { timeEnd, isPartial, contentStart } = entry;
    const { stream, timestamps } = this.#filter;
    if (stream !== undefined && entry.stream !== stream) return written;
    if (this.#since && isTimeBefore(block, start, timeEnd, this.#since)) return written;
    const contentEnd = Math.max(contentStart, isPartial ? end : end + 1);
    let at = written;
    if (timestamps && !this.#isInsideLine) at = moveTime(block, start, timeEnd, at);
    this.#isInsideLine = isPartial;
    block.copyWithin(at, contentStart, contentEnd);
    const shown = Math.min(at + contentEnd - contentStart - written, this.#bytesLeft);
    this.#bytesLeft -= shown;
    return written + shown;
  }
}

/** A copy of `block` behind `room` bytes. */
function withRoom(block: Buffer, room: number): Buffer {
  const work = Buffer.allocUnsafeSlow(room + block.length);
  block.copy(work, room);
  return work;
}

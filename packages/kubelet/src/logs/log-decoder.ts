/**
 * The CRI log format: `<RFC3339Nano> <stdout|stderr> <tags> <content>\n`, where tag P marks a piece of a line and F a
 * whole line or its last piece (k8s.io/cri-api pkg/apis/runtime/v1/constants.go). Works on bytes: no string is made
 * per line.
 */

/** What of a log is shown, and how. */
export interface LogFilter {
  /** Puts each line's time in front of it, with nine digits of fraction. */
  timestamps: boolean;
  /** Records before this RFC 3339 time in UTC are left out. */
  since?: string | undefined;
  /** Shows one stream alone. */
  stream?: 'stdout' | 'stderr' | undefined;
  /** Ends after so many bytes, in the middle of a line if need be. */
  limitBytes?: number | undefined;
  /** Ends after so many records. */
  recordsMax?: number | undefined;
}

const newline = 0x0a;
const space = 0x20;
const colon = 0x3a;
const dot = 0x2e;
const zero = 0x30;
const upperP = 0x50;
const upperZ = 0x5a;
const lowerE = 0x65;
const lowerO = 0x6f;
const lowerS = 0x73;
const secondsLength = '2006-01-02T15:04:05'.length;
const streamLength = 'stdout'.length;
const fractionDigits = 9;
/** Length of a time as the monitor writes it, `2006-01-02T15:04:05.000000000Z`. */
const usualTimeLength = secondsLength + 1 + fractionDigits + 1;
/**
 * A record without a fraction grows by one byte when its time is shown with nine digits, and has 28 bytes at least:
 * room for that, and for its digits before they are read.
 */
const timeRoomShare = 1 / 16;
const timeRoomMin = 64;

/**
 * Turns records into what is shown. Feed it blocks; it holds no bytes itself. What is shown of a block moves to its
 * start by one call per record, so that there is no second buffer and no object per record.
 */
export class LogDecoder {
  readonly #filter: LogFilter;
  readonly #since: Uint8Array | undefined;
  readonly #wantedStream: number | undefined;
  #bytesLeft: number;
  #recordsLeft: number;
  #isInsideLine = false;
  #malformed = 0;

  constructor(filter: LogFilter) {
    this.#filter = filter;
    this.#since =
      filter.since === undefined ? undefined : Buffer.from(comparableTime(filter.since), 'latin1');
    this.#wantedStream = filter.stream && (filter.stream === 'stdout' ? lowerO : lowerE);
    this.#bytesLeft = filter.limitBytes ?? Number.POSITIVE_INFINITY;
    this.#recordsLeft = filter.recordsMax ?? Number.POSITIVE_INFINITY;
  }

  /** Whether a limit is reached: nothing more will be shown. */
  get isDone(): boolean {
    return this.#bytesLeft <= 0 || this.#recordsLeft <= 0;
  }

  /** Lines that were no records and were left out. */
  get malformed(): number {
    return this.#malformed;
  }

  /**
   * Decodes the whole records at the start of `block`. The block is changed: where times are not shown, the output is
   * a view of it. `consumed` says where the unfinished rest begins, which is left as it was.
   */
  decode(block: Buffer): { output: Uint8Array; consumed: number } {
    const room = this.#filter.timestamps ? Math.ceil(block.length * timeRoomShare) + timeRoomMin : 0;
    const work = room > 0 ? withRoom(block, room) : block;
    let written = 0;
    let position = room;
    while (this.#recordsLeft > 0 && this.#bytesLeft > 0) {
      const end = work.indexOf(newline, position);
      if (end < 0) break;
      this.#recordsLeft -= 1;
      written = this.#record(work, position, end, written);
      position = end + 1;
    }
    return { output: work.subarray(0, written), consumed: position - room };
  }

  /** Moves what is shown of the record `[start, end)` to `written`; returns where that ends. */
  #record(block: Buffer, start: number, end: number, written: number): number {
    const timeEnd = endOfTime(block, start, end);
    const streamStart = timeEnd + 1;
    const tagStart = streamStart + streamLength + 1;
    if (tagStart >= end || block[streamStart] !== lowerS || block[tagStart - 1] !== space) {
      this.#malformed += 1;
      return written;
    }
    if (this.#wantedStream !== undefined && block[streamStart + 3] !== this.#wantedStream) return written;
    if (this.#since && this.#isBefore(block, start, timeEnd)) return written;
    const isPartial =
      block[tagStart] === upperP && (block[tagStart + 1] === space || block[tagStart + 1] === colon);
    let contentStart = tagStart + 1;
    while (contentStart < end && block[contentStart] !== space) contentStart += 1;
    contentStart += 1;
    const contentEnd = Math.max(contentStart, isPartial ? end : end + 1);
    let at = written;
    if (this.#filter.timestamps && !this.#isInsideLine) at = moveTime(block, start, timeEnd, at);
    this.#isInsideLine = isPartial;
    block.copyWithin(at, contentStart, contentEnd);
    const shown = Math.min(at + contentEnd - contentStart - written, this.#bytesLeft);
    this.#bytesLeft -= shown;
    return written + shown;
  }

  #isBefore(block: Buffer, start: number, timeEnd: number): boolean {
    const since = this.#since as Uint8Array;
    if (block[timeEnd - 1] !== upperZ) {
      const text = block.toString('latin1', start, timeEnd);
      return Buffer.compare(Buffer.from(comparableTime(text), 'latin1'), since) < 0;
    }
    for (let index = 0; index < since.length; index += 1) {
      const at = start + index;
      const own = at < timeEnd - 1 ? (block[at] ?? zero) : index === secondsLength ? dot : zero;
      const other = since[index] ?? zero;
      if (own !== other) return own < other;
    }
    return false;
  }
}

/** An RFC 3339 time as UTC digits that compare as text: `2006-01-02T15:04:05.000000000`. Throws when it is no time. */
export function comparableTime(time: string): string {
  const match = /^(\d{4}-\d\d-\d\d[Tt]\d\d:\d\d:\d\d)(?:\.(\d{1,9})\d*)?([Zz]|[+-]\d\d:\d\d)$/.exec(time);
  const epochMs = match ? Date.parse(`${match[1]}${match[3]}`) : Number.NaN;
  if (!match || Number.isNaN(epochMs)) throw new RangeError(`"${time}" is no RFC 3339 time`);
  const seconds = new Date(epochMs).toISOString().slice(0, secondsLength);
  return `${seconds}.${(match[2] ?? '').padEnd(fractionDigits, '0')}`;
}

/** A copy of `block` behind `room` bytes. */
function withRoom(block: Buffer, room: number): Buffer {
  const work = Buffer.allocUnsafeSlow(room + block.length);
  block.copy(work, room);
  return work;
}

/** Where the time of the record `[start, end)` ends; looks at once where that usually is. */
function endOfTime(block: Buffer, start: number, end: number): number {
  if (isUsualTime(block, start)) return start + usualTimeLength;
  let timeEnd = start + secondsLength;
  while (timeEnd < end && block[timeEnd] !== space) timeEnd += 1;
  return timeEnd;
}

function isUsualTime(block: Buffer, start: number): boolean {
  return (
    block[start + secondsLength] === dot &&
    block[start + usualTimeLength - 1] === upperZ &&
    block[start + usualTimeLength] === space
  );
}

/** Puts the time, with exactly nine digits of fraction, and a blank to `at`, which lies before `start`. */
function moveTime(block: Buffer, start: number, timeEnd: number, at: number): number {
  if (isUsualTime(block, start)) {
    block.copyWithin(at, start, timeEnd + 1);
    return at + usualTimeLength + 1;
  }
  block.copyWithin(at, start, start + secondsLength);
  let from = start + secondsLength;
  let to = at + secondsLength;
  block[to++] = dot;
  if (block[from] === dot) from += 1;
  for (let digit = 0; digit < fractionDigits; digit += 1) {
    const byte = block[from];
    const isDigit = from < timeEnd && byte !== undefined && byte >= zero && byte <= 0x39;
    block[to++] = isDigit ? byte : zero;
    if (isDigit) from += 1;
  }
  block.copyWithin(to, from, timeEnd);
  to += timeEnd - from;
  block[to++] = space;
  return to;
}

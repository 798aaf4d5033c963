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
/** Contents up to this length are copied byte by byte, which is faster than a call. */
const shortCopyMax = 256;

/** Turns records into what is shown. Feed it blocks; it holds no bytes itself. */
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
   * a view of it. `consumed` says where the unfinished rest begins.
   */
  decode(block: Buffer): { output: Uint8Array; consumed: number } {
    const target = this.#filter.timestamps ? Buffer.allocUnsafe(Math.ceil(block.length * 1.5) + 64) : block;
    let written = 0;
    let position = 0;
    while (this.#recordsLeft > 0 && this.#bytesLeft > 0) {
      const end = block.indexOf(newline, position);
      if (end < 0) break;
      this.#recordsLeft -= 1;
      written = this.#record(block, position, end, target, written);
      position = end + 1;
    }
    return { output: target.subarray(0, written), consumed: position };
  }

  /** Appends what is shown of the record `[start, end)`; returns the new end of `target`. */
  #record(block: Buffer, start: number, end: number, target: Buffer, written: number): number {
    let timeEnd = start + secondsLength;
    while (timeEnd < end && block[timeEnd] !== space) timeEnd += 1;
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
    const first = written;
    let at = written;
    if (this.#filter.timestamps && !this.#isInsideLine) at = copyTime(block, start, timeEnd, target, at);
    this.#isInsideLine = isPartial;
    const contentEnd = isPartial ? end : end + 1;
    at = copyBytes(block, contentStart, Math.max(contentStart, contentEnd), target, at);
    const allowed = Math.min(at - first, this.#bytesLeft);
    this.#bytesLeft -= allowed;
    return first + allowed;
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

function copyBytes(source: Buffer, start: number, end: number, target: Buffer, at: number): number {
  if (end - start > shortCopyMax) {
    source.copy(target, at, start, end);
    return at + end - start;
  }
  let to = at;
  for (let from = start; from < end; from += 1) target[to++] = source[from] as number;
  return to;
}

/** Writes the time with exactly nine digits of fraction, and a blank. */
function copyTime(block: Buffer, start: number, timeEnd: number, target: Buffer, at: number): number {
  let to = copyBytes(block, start, start + secondsLength, target, at);
  let from = start + secondsLength;
  target[to++] = dot;
  if (block[from] === dot) from += 1;
  for (let digit = 0; digit < fractionDigits; digit += 1) {
    const byte = block[from];
    const isDigit = from < timeEnd && byte !== undefined && byte >= zero && byte <= 0x39;
    target[to++] = isDigit ? byte : zero;
    if (isDigit) from += 1;
  }
  to = copyBytes(block, from, timeEnd, target, to);
  target[to++] = space;
  return to;
}

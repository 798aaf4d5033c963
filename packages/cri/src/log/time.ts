import { bytesOf } from './format.ts';

const { colon, dash, dot, nine, space, upperZ, zero } = bytesOf;
const secondsLength = '2006-01-02T15:04:05'.length;
/** Where those stand in `2006-01-02T15:04:05`. */
const dashPlaces = [4, 7];
const colonPlaces = [13, 16];
const fractionDigits = 9;
/** Length of a time as it is written here, `2006-01-02T15:04:05.000000000Z`. */
const usualTimeLength = secondsLength + 1 + fractionDigits + 1;

/** "2026-01-31T12:00:00.123456000Z": RFC 3339 with nine digits, of which `nowMs` gives six. */
export function logTimestamp(nowMs: number): string {
  const micros = Math.floor((nowMs % 1) * 1000);
  return `${new Date(nowMs).toISOString().slice(0, -1)}${String(micros).padStart(3, '0')}000Z`;
}

/** An RFC 3339 time as UTC digits that compare as text: `2006-01-02T15:04:05.000000000`. Throws when it is no time. */
export function comparableTime(time: string): string {
  const match = /^(\d{4}-\d\d-\d\d[Tt]\d\d:\d\d:\d\d)(?:\.(\d{1,9})\d*)?([Zz]|[+-]\d\d:\d\d)$/.exec(time);
  const epochMs = match ? Date.parse(`${match[1]}${match[3]}`) : Number.NaN;
  if (!match || Number.isNaN(epochMs)) throw new RangeError(`"${time}" is no RFC 3339 time`);
  const seconds = new Date(epochMs).toISOString().slice(0, secondsLength);
  return `${seconds}.${(match[2] ?? '').padEnd(fractionDigits, '0')}`;
}

/**
 * Whether the time at `[start, timeEnd)` is before `since`, the bytes of a {@link comparableTime}. What is no time is
 * before everything.
 */
export function isTimeBefore(block: Buffer, start: number, timeEnd: number, since: Uint8Array): boolean {
  if (block[timeEnd - 1] !== upperZ) {
    const utc = inUtc(block.toString('latin1', start, timeEnd));
    return utc === undefined || Buffer.compare(Buffer.from(utc, 'latin1'), since) < 0;
  }
  for (let index = 0; index < since.length; index += 1) {
    const at = start + index;
    const own = at < timeEnd - 1 ? (block[at] ?? zero) : index === secondsLength ? dot : zero;
    const other = since[index] ?? zero;
    if (own !== other) return own < other;
  }
  return false;
}

function inUtc(time: string): string | undefined {
  try {
    return comparableTime(time);
  } catch {
    return undefined;
  }
}

/** Where the time of the entry `[start, end)` ends; looks at once where that usually is. -1 for what looks like none. */
export function endOfTime(block: Buffer, start: number, end: number): number {
  if (isUsualTime(block, start)) return start + usualTimeLength;
  for (const at of dashPlaces) if (block[start + at] !== dash) return -1;
  for (const at of colonPlaces) if (block[start + at] !== colon) return -1;
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

/**
 * Puts the time at `[start, timeEnd)`, with exactly nine digits of fraction, and a blank to `at`, which lies before
 * `start`. Returns where that ends.
 */
export function moveTime(block: Buffer, start: number, timeEnd: number, at: number): number {
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
    const isDigit = from < timeEnd && byte !== undefined && byte >= zero && byte <= nine;
    block[to++] = isDigit ? byte : zero;
    if (isDigit) from += 1;
  }
  block.copyWithin(to, from, timeEnd);
  to += timeEnd - from;
  block[to++] = space;
  return to;
}

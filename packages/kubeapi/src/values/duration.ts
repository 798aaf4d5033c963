/** Go's duration texts (`1h30m`, `250ms`), as configuration files and some API fields carry them. */

const nanosPerUnit: ReadonlyMap<string, bigint> = new Map([
  ['ns', 1n],
  ['us', 1_000n],
  ['µs', 1_000n],
  ['μs', 1_000n],
  ['ms', 1_000_000n],
  ['s', 1_000_000_000n],
  ['m', 60_000_000_000n],
  ['h', 3_600_000_000_000n],
]);

const nanosMax = 2n ** 63n;

/**
 * Milliseconds of a Go duration, of which parts of a nanosecond are dropped; throws, in the words of Go's `time.ParseDuration`, when the
 * text is none.
 */
export function parseDurationMs(text: string): number {
  const isNegative = text.startsWith('-');
  let rest = text.replace(/^[+-]/, '');
  if (rest === '0') return 0;
  const refuse = (why: string) => new Error(`time: ${why} duration ${quoted(text)}`);
  if (rest === '') throw refuse('invalid');
  let nanos = 0n;
  while (rest !== '') {
    const [, number, unit = ''] = /^(\d+\.?\d*|\.\d+)([^.\d]*)/.exec(rest) ?? [];
    if (number === undefined || BigInt(Number.parseInt(number, 10) || 0) > nanosMax) throw refuse('invalid');
    if (unit === '') throw refuse('missing unit in');
    const nanosEach = nanosPerUnit.get(unit);
    if (nanosEach === undefined) throw refuse(`unknown unit ${quoted(unit)} in`);
    nanos += nanosOf(number, nanosEach);
    if (nanos > nanosMax) throw refuse('invalid');
    rest = rest.slice(number.length + unit.length);
  }
  if (nanos >= nanosMax && !isNegative) throw refuse('invalid');
  return Number(isNegative ? -nanos : nanos) / 1e6;
}

function nanosOf(number: string, nanosEach: bigint): bigint {
  const [whole = '', fraction = ''] = number.split('.');
  const digits = fraction.slice(0, 18);
  const part = Math.trunc(Number(digits) * (Number(nanosEach) / 10 ** digits.length));
  return BigInt(whole) * nanosEach + BigInt(part);
}

/** As Go's package quotes a text: by its bytes. */
const quoted = (text: string): string =>
  JSON.stringify(text).replace(/[^ -~]/gu, (sign) =>
    [...Buffer.from(sign)].map((byte) => `\\x${byte.toString(16).padStart(2, '0')}`).join(''),
  );

/** A duration as Go prints it, to the nanosecond: `1h30m0s`, `1.5s`, `250ms`, `0s`. */
export function formatDurationMs(durationMs: number): string {
  const nanos = BigInt(Math.round(Math.abs(durationMs) * 1e6));
  const sign = durationMs < 0 && nanos > 0n ? '-' : '';
  if (nanos === 0n) return '0s';
  if (nanos < 1_000n) return `${sign}${nanos}ns`;
  if (nanos < 1_000_000n) return `${sign}${decimal(nanos, 3)}µs`;
  if (nanos < 1_000_000_000n) return `${sign}${decimal(nanos, 6)}ms`;
  const minutes = nanos / 60_000_000_000n;
  const seconds = `${decimal(nanos % 60_000_000_000n, 9)}s`;
  if (minutes === 0n) return `${sign}${seconds}`;
  const hours = minutes < 60n ? '' : `${minutes / 60n}h`;
  return `${sign}${hours}${minutes % 60n}m${seconds}`;
}

/** A whole number with its point moved to the left. */
function decimal(value: bigint, places: number): string {
  const digits = value.toString().padStart(places + 1, '0');
  return `${digits.slice(0, -places)}.${digits.slice(-places)}`.replace(/\.?0*$/, '');
}

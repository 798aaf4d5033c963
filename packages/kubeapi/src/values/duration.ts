/** Go's duration texts (`1h30m`, `250ms`), as configuration files and some API fields carry them. */

const nanosPerUnit: ReadonlyMap<string, number> = new Map([
  ['ns', 1],
  ['us', 1e3],
  ['µs', 1e3],
  ['μs', 1e3],
  ['ms', 1e6],
  ['s', 1e9],
  ['m', 60e9],
  ['h', 3600e9],
]);

const nanosMax = 2 ** 63;

/** Milliseconds of a Go duration; throws, in the words of Go's `time.ParseDuration`, when the text is none. */
export function parseDurationMs(text: string): number {
  const sign = text.startsWith('-') ? -1 : 1;
  let rest = text.replace(/^[+-]/, '');
  if (rest === '0') return 0;
  const refuse = (why: string) => new Error(`time: ${why} duration ${JSON.stringify(text)}`);
  if (rest === '') throw refuse('invalid');
  let nanos = 0;
  while (rest !== '') {
    const [, number, unit = ''] = /^(\d+\.?\d*|\.\d+)([^.\d]*)/.exec(rest) ?? [];
    if (number === undefined) throw refuse('invalid');
    if (unit === '') throw refuse('missing unit in');
    const nanosEach = nanosPerUnit.get(unit);
    if (nanosEach === undefined) throw refuse(`unknown unit ${JSON.stringify(unit)} in`);
    nanos += Number(number) * nanosEach;
    rest = rest.slice(number.length + unit.length);
  }
  if (nanos >= nanosMax) throw refuse('invalid');
  return (sign * nanos) / 1e6;
}

/** A duration as Go prints it: `1h30m0s`, `1.5s`, `250ms`, `0s`. */
export function formatDurationMs(durationMs: number): string {
  const sign = durationMs < 0 ? '-' : '';
  const magnitudeMs = Math.abs(durationMs);
  if (magnitudeMs === 0) return '0s';
  if (magnitudeMs < 0.001) return `${sign}${magnitudeMs * 1e6}ns`;
  if (magnitudeMs < 1) return `${sign}${trim(magnitudeMs * 1e3)}µs`;
  if (magnitudeMs < 1000) return `${sign}${trim(magnitudeMs)}ms`;
  const wholeSeconds = Math.floor(magnitudeMs / 1000);
  const hours = Math.floor(wholeSeconds / 3600);
  const minutes = Math.floor((wholeSeconds % 3600) / 60);
  const seconds = trim((wholeSeconds % 60) + (magnitudeMs % 1000) / 1000);
  const minutesText = hours > 0 || minutes > 0 ? `${minutes}m` : '';
  return `${sign}${hours > 0 ? `${hours}h` : ''}${minutesText}${seconds}s`;
}

const trim = (value: number) => String(Number(value.toFixed(9)));

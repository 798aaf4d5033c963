const unitMs: ReadonlyMap<string, number> = new Map([
  ['ns', 1e-6],
  ['us', 1e-3],
  ['µs', 1e-3],
  ['ms', 1],
  ['s', 1_000],
  ['m', 60_000],
  ['h', 3_600_000],
]);
const durationPattern = /^[+-]?(?:(?:\d+(?:\.\d*)?|\.\d+)(?:ns|us|µs|ms|s|m|h))+$/;

/** Milliseconds of a duration in the notation of Go (`1h30m`, `500ms`, `0`); undefined when it is none. */
export function parseDuration(text: string): number | undefined {
  if (text === '0') return 0;
  if (!durationPattern.test(text)) return undefined;
  const sign = text.startsWith('-') ? -1 : 1;
  let totalMs = 0;
  for (const [, amount = '0', unit = ''] of text.matchAll(/(\d+(?:\.\d*)?|\.\d+)(ns|us|µs|ms|s|m|h)/g)) {
    totalMs += Number(amount) * (unitMs.get(unit) ?? 0);
  }
  return sign * totalMs;
}

/** The notation of Go for `durationMs`, as it is written back on /configz. */
export function formatDuration(durationMs: number): string {
  if (durationMs === 0) return '0s';
  if (Math.abs(durationMs) < 1_000) return `${durationMs}ms`;
  const hours = Math.trunc(durationMs / 3_600_000);
  const minutes = Math.trunc((durationMs % 3_600_000) / 60_000);
  const seconds = (durationMs % 60_000) / 1_000;
  if (hours !== 0) return `${hours}h${minutes}m${seconds}s`;
  return minutes !== 0 ? `${minutes}m${seconds}s` : `${seconds}s`;
}

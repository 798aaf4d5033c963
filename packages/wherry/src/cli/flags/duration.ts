import { InvalidArgumentError } from 'commander';
import { CommandError } from '../../errors.ts';

const secondMs = 1_000;
const unitMs: ReadonlyMap<string, number> = new Map([
  ['ms', 1],
  ['s', 1_000],
  ['m', 60_000],
  ['h', 3_600_000],
]);

/** A duration as Go writes it (`1h2m3.5s`, `500ms`, `0`), in milliseconds. */
export function parseDuration(text: string): number {
  if (text === '0') return 0;
  if (!/^(\d+(\.\d+)?(ms|s|m|h))+$/.test(text)) {
    throw new InvalidArgumentError('expected a duration such as 30s, 5m or 1h30m');
  }
  const parts = text.matchAll(/(\d+(?:\.\d+)?)(ms|s|m|h)/g);
  return [...parts].reduce(
    (sum, [, amount, unit]) => sum + Number(amount) * (unitMs.get(unit ?? '') ?? 0),
    0,
  );
}

/** The same, and below 0 too. */
export const parseSignedDuration = (text: string): number =>
  text.startsWith('-') ? -parseDuration(text.slice(1)) : parseDuration(text);

/** Value of `--pod-running-timeout`, in milliseconds: not 0. */
export function parsePodTimeout(text: string): number {
  const durationMs = text.startsWith('-') ? 0 : parseDuration(text);
  if (durationMs > 0) return durationMs;
  throw new CommandError('--pod-running-timeout must be higher than zero');
}

/** Value of `--request-timeout`, in milliseconds: seconds without a unit; 0 for any. */
export function parseRequestTimeout(text: string): number {
  if (/^\d+$/.test(text)) return Number(text) * secondMs;
  try {
    return parseDuration(text);
  } catch {
    throw new CommandError(
      'Invalid timeout value. Timeout must be a single integer in seconds, or an integer followed by a corresponding time unit (e.g. 1s | 2m | 3h)',
    );
  }
}

import { InvalidArgumentError } from 'commander';

const unitMs: Record<string, number> = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000 };

/** A duration as Go writes it (`1h2m3.5s`, `500ms`, `0`), in milliseconds. */
export function parseDuration(text: string): number {
  if (text === '0') return 0;
  if (!/^(\d+(\.\d+)?(ms|s|m|h))+$/.test(text)) {
    throw new InvalidArgumentError('expected a duration such as 30s, 5m or 1h30m');
  }
  const parts = text.matchAll(/(\d+(?:\.\d+)?)(ms|s|m|h)/g);
  return [...parts].reduce((sum, [, amount, unit]) => sum + Number(amount) * (unitMs[unit ?? ''] ?? 0), 0);
}

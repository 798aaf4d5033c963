const unitMs = new Map([
  ['ns', 1e-6],
  ['us', 1e-3],
  ['µs', 1e-3],
  ['μs', 1e-3],
  ['ms', 1],
  ['s', 1000],
  ['m', 60_000],
  ['h', 3_600_000],
]);

/** Milliseconds of a duration as Go writes it (`1m30s`, `200ms`, `0`); undefined for anything else, or a negative one. */
export function parseGoDuration(text: string): number | undefined {
  if (text === '0') return 0;
  if (!/^\+?(?:(?:\d+\.?\d*|\.\d+)(?:ns|us|µs|μs|ms|s|m|h))+$/.test(text)) return undefined;
  const parts = text.matchAll(/([\d.]+)([a-zµμ]+)/g);
  return [...parts].reduce(
    (sum, [, number, unit]) => sum + Number(number) * (unitMs.get(unit ?? '') ?? 0),
    0,
  );
}

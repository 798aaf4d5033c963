/** Several problems in one line, as Go's aggregates print them: `a`, or `[a, b]`. Repeats are dropped; none gives ``. */
export function aggregateText(problems: Iterable<string>): string {
  const [first = '', ...others] = new Set(problems);
  return others.length === 0 ? first : `[${[first, ...others].join(', ')}]`;
}

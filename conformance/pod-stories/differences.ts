/** A line that only one side tells, and of which story. */
export interface Difference {
  story: string;
  side: 'theirs' | 'ours';
  line: string;
}

/** A difference that is meant: of which stories, which lines, and why. */
export interface KnownDifference {
  /** Stories' names; by default any. */
  story?: RegExp;
  line: RegExp;
  reason: string;
}

/** What each story's lines are, by its name. */
export type Tellings = Readonly<Record<string, readonly string[]>>;

/** Lines that one has more often than the other. */
function missingFrom(lines: readonly string[], others: readonly string[]): string[] {
  const left = new Map<string, number>();
  for (const line of others) left.set(line, (left.get(line) ?? 0) + 1);
  return lines.filter((line) => {
    const count = left.get(line) ?? 0;
    left.set(line, count - 1);
    return count <= 0;
  });
}

/** What two sides tell differently of the stories that both played. */
export function differencesBetween(theirs: Tellings, ours: Tellings): Difference[] {
  const others = new Map(Object.entries(ours));
  return Object.entries(theirs).flatMap(([story, lines]) => {
    const own = others.get(story);
    if (own === undefined) return [];
    return [
      ...missingFrom(lines, own).map((line) => ({ story, side: 'theirs' as const, line })),
      ...missingFrom(own, lines).map((line) => ({ story, side: 'ours' as const, line })),
    ];
  });
}

/** Why a difference is meant, where it is. */
export function reasonFor(
  { story, line }: Difference,
  known: readonly KnownDifference[],
): string | undefined {
  return known.find((each) => (each.story?.test(story) ?? true) && each.line.test(line))?.reason;
}

/** How one function of test/cmd ended. */
export interface Outcome {
  /** 0 when it came to its end. */
  code: number;
  /** Where in the scripts what was expected is not so, and what that was; the last is where it stopped, if it did. */
  unmet: string[];
}

/** Reads what driver.sh tells: lines of a function, its exit code and its seconds, and lines of what was not met. */
export function readOutcomes(ended: string, unmet: string): Map<string, Outcome> {
  const places = Map.groupBy(linesOf(unmet), (line) => line.split('\t', 1)[0]!);
  const outcomes = linesOf(ended).map((line): [string, Outcome] => {
    const [name = '', code = ''] = line.split(' ');
    const told = (places.get(name) ?? []).map((each) => each.split('\t').slice(1).join(' ').trim());
    return [name, { code: Number(code), unmet: [...new Set(told)] }];
  });
  return new Map(outcomes);
}

const linesOf = (text: string) => text.split('\n').filter((line) => line !== '');

/** What is otherwise on purpose, in a function of the scripts. */
export interface KnownDifference {
  name: string;
  /** Where in the scripts, such as `core.sh:87`; several that have one reason; or `everywhere` in the function. */
  at: readonly string[];
  reason: string;
}

/** What differs and is not known, and what is known and does not differ any more. */
export function surprises(
  name: string,
  { code, unmet }: Outcome,
  known: readonly KnownDifference[],
): { unknown: string[]; gone: string[] } {
  const places = new Set(known.filter((each) => each.name === name).flatMap(({ at }) => at));
  const placeOf = (line: string) => line.split(' ', 1)[0]!;
  const found = new Set(unmet.map(placeOf));
  if (places.has('everywhere'))
    return { unknown: [], gone: code === 0 && found.size === 0 ? ['everywhere'] : [] };
  const unknown = unmet.filter((line) => !places.has(placeOf(line)));
  if (code !== 0 && unmet.length === 0) unknown.push(`it ended with ${code}`);
  return { unknown, gone: [...places].filter((place) => !found.has(place)) };
}

import { hopTitle, type UnseenHop } from '@wherry/telemetry/session-paths';
import type { Sight } from './look.ts';

const namesMax = 8;

/** Which hops do not tell of sessions, those with one reason together, or not of all. */
export function unseenLines({ unseen, lists }: Sight): string[] {
  const lines = [...Map.groupBy(unseen, (hop: UnseenHop) => hop.reason)].map(([reason, hops]) => {
    const titles = hops.slice(0, namesMax).map(hopTitle).join(', ');
    const more = hops.length > namesMax ? ` and ${hops.length - namesMax} more` : '';
    return `not seen: ${titles}${more}: ${reason}`;
  });
  const partial = lists.flatMap(({ unlisted = 0, ...list }) =>
    unlisted > 0 ? [`${hopTitle(list)}: carries ${unlisted} sessions more than it lists`] : [],
  );
  return [...lines, ...partial];
}

/** Says it on standard error. */
export function sayUnseen(sight: Sight): void {
  for (const line of unseenLines(sight)) console.error(line);
}

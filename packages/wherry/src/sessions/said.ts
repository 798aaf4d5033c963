import { hopTitle, type UnseenHop } from '@wherry/telemetry/session-paths';
import type { Sight } from './look.ts';

const namesMax = 8;

/** Says on standard error which hops do not tell of sessions, those with one reason together. */
export function sayUnseen({ unseen, lists }: Sight): void {
  for (const [reason, hops] of Map.groupBy(unseen, (hop: UnseenHop) => hop.reason)) {
    const titles = hops.slice(0, namesMax).map(hopTitle).join(', ');
    const more = hops.length > namesMax ? ` and ${hops.length - namesMax} more` : '';
    console.error(`not seen: ${titles}${more}: ${reason}`);
  }
  for (const { unlisted = 0, ...list } of lists)
    if (unlisted > 0) console.error(`${hopTitle(list)}: carries ${unlisted} sessions more than it lists`);
}

import { type Candidate, startedMs } from './select-victims.ts';

/** How bad it would be, from what matters most to what matters least. */
const costs: readonly ((candidate: Candidate) => number)[] = [
  ({ violations }) => violations,
  ({ victims }) => victims[0]!.priority,
  // From 1 on, so that fewer pods of negative priority cost less.
  ({ victims }) => victims.reduce((sum, { priority }) => sum + priority + 2 ** 31 + 1, 0),
  ({ victims }) => victims.length,
  // Of the most important victims, the one that started first should have started late.
  ({ victims }) =>
    -Math.min(...victims.filter(({ priority }) => priority === victims[0]!.priority).map(startedMs)),
];

/** The candidates among which it makes no difference, the others being worse. */
export function bestCandidates(candidates: readonly Candidate[]): readonly Candidate[] {
  let best = candidates;
  for (const cost of costs) {
    const prices = best.map(cost);
    const least = Math.min(...prices);
    best = best.filter((_, index) => prices[index] === least);
  }
  return best;
}

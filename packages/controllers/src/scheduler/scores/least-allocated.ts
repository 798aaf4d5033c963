import type { ScorePlugin } from './score-plugin.ts';
import { scoreMax } from './score-plugin.ts';

/** More processors and memory that nobody has asked for. */
export const leastAllocated: ScorePlugin = {
  name: 'NodeResourcesFit',
  weight: 1,
  score: ({ newcomerRequests: wanted }, rooms) =>
    rooms.map(({ allocatable, spreadingRequested: used }) => {
      const shares = (['cpu', 'memory'] as const).flatMap((name) => {
        const capacity = allocatable.get(name) ?? 0;
        return capacity === 0 ? [] : [freeShare(used[name] + wanted[name], capacity)];
      });
      const sum = shares.reduce((total, share) => total + share, 0);
      return shares.length === 0 ? 0 : Math.trunc(sum / shares.length);
    }),
};

function freeShare(used: number, capacity: number): number {
  return used > capacity ? 0 : Math.trunc(((capacity - used) * scoreMax) / capacity);
}

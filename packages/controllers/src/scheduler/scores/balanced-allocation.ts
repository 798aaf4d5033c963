import type { NodeRoom } from '../cluster/node-room.ts';
import type { PodInfo } from '../cluster/pod-info.ts';
import { type ScorePlugin, scoreMax } from './score-plugin.ts';

const half = scoreMax / 2;

/** Nodes whose processors and memory the pod makes more evenly used. */
export const balancedAllocation: ScorePlugin = {
  name: 'NodeResourcesBalancedAllocation',
  weight: 1,
  score(info, rooms) {
    if (!info.requests.get('cpu') && !info.requests.get('memory')) return undefined;
    return rooms.map((room) => half + Math.trunc((half + evenness(room, info) - evenness(room)) / 2));
  },
};

/** 100 where both are used by the same share. */
function evenness({ requested, allocatable }: NodeRoom, info?: PodInfo): number {
  const shares = ['cpu', 'memory'].flatMap((name) => {
    const capacity = allocatable.get(name) ?? 0;
    const used = (requested.get(name) ?? 0) + (info?.requests.get(name) ?? 0);
    return capacity === 0 ? [] : [Math.min(1, used / capacity)];
  });
  const [one = 0, other = one] = shares;
  return Math.trunc((1 - Math.abs((one - other) / 2)) * scoreMax);
}

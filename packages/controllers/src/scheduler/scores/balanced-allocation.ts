import { isCountedResource } from '@wherry/podrules';
import type { NodeRoom } from '../cluster/node-room.ts';
import type { PodInfo } from '../cluster/pod-info.ts';
import { isScalar } from './resource-allocation.ts';
import { type ScorePlugin, scoreMax } from './score-plugin.ts';

const half = scoreMax / 2;

/** Nodes whose resources, those of these names, the pod makes more evenly used. */
export function balancedAllocation(names: readonly string[]): ScorePlugin {
  const counted = names.filter(isCountedResource);
  return {
    name: 'NodeResourcesBalancedAllocation',
    weight: 1,
    score(info, rooms) {
      const asked = counted.filter((name) => !isScalar(name) || info.requests.get(name));
      if (!asked.some((name) => info.requests.get(name))) return undefined;
      return rooms.map(
        (room) => half + Math.trunc((half + evenness(asked, room, info) - evenness(asked, room)) / 2),
      );
    },
  };
}

/** 100 where all are used by the same share. */
function evenness(names: readonly string[], { requested, allocatable }: NodeRoom, info?: PodInfo): number {
  const shares: number[] = [];
  for (const name of names) {
    const capacity = allocatable.get(name) ?? 0;
    if (capacity === 0) continue;
    const used = (requested.get(name) ?? 0) + (info?.requests.get(name) ?? 0);
    shares.push(Math.min(1, used / capacity));
  }
  return Math.trunc((1 - spreadOf(shares)) * scoreMax);
}

/** The standard deviation. */
function spreadOf(shares: readonly number[]): number {
  const [one = 0, other = one] = shares;
  if (shares.length <= 2) return Math.abs((one - other) / 2);
  const mean = shares.reduce((sum, share) => sum + share, 0) / shares.length;
  const squares = shares.reduce((sum, share) => sum + (share - mean) * (share - mean), 0);
  return Math.sqrt(squares / shares.length);
}

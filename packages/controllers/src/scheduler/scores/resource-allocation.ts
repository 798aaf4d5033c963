import { amountsOfNewcomer, isCountedResource, unitsOf } from '@wherry/podrules';
import type { NodeRoom } from '../cluster/node-room.ts';
import type { PodInfo } from '../cluster/pod-info.ts';
import type { ResourceSpec, ScoringStrategy, ShapePoint } from '../configuration/configuration.ts';
import { type ScorePlugin, scoreMax } from './score-plugin.ts';

/** How good a node is by one resource, of which it has `capacity`, with `used` of it taken. */
type Points = (used: number, capacity: number) => number;

/** Nodes by what of their resources is asked for once the pod is there: little of it, much of it, or along a line. */
export function resourceAllocation({
  type,
  resources,
  requestedToCapacityRatio,
}: ScoringStrategy): ScorePlugin {
  const isRatio = type === 'RequestedToCapacityRatio';
  const alongLine = isRatio ? alongShape(requestedToCapacityRatio?.shape ?? []) : undefined;
  const points = alongLine ?? (type === 'MostAllocated' ? mostAllocated : leastAllocated);
  const asked = resources.filter(({ name }) => isCountedResource(name));
  return {
    name: 'NodeResourcesFit',
    weight: 1,
    score(info, rooms) {
      const wanted = asked.map(({ name }) => wantedOf(name, info));
      return rooms.map((room) => {
        let sum = 0;
        let weights = 0;
        for (const [index, { name, weight }] of asked.entries()) {
          const capacity = room.allocatable.get(name) ?? 0;
          if (capacity === 0 || (wanted[index] === 0 && isScalar(name))) continue;
          const found = points(usedOf(name, room) + wanted[index]!, capacity);
          if (isRatio && found <= 0) continue;
          sum += found * weight;
          weights += weight;
        }
        if (weights === 0) return 0;
        return isRatio ? Math.round(sum / weights) : Math.trunc(sum / weights);
      });
    },
  };
}

/** Upstream's strategy unless another is asked for. */
export const usualStrategy: ScoringStrategy = {
  type: 'LeastAllocated',
  resources: ['cpu', 'memory'].map((name): ResourceSpec => ({ name, weight: 1 })),
};

const leastAllocated: Points = (used, capacity) =>
  used > capacity ? 0 : Math.trunc(((capacity - used) * scoreMax) / capacity);

const mostAllocated: Points = (used, capacity) =>
  Math.trunc((Math.min(used, capacity) * scoreMax) / capacity);

/** Scores of 0 to 10, between the corners on straight lines. */
function alongShape(shape: readonly ShapePoint[]): Points {
  const corners = shape.map(({ utilization, score }) => ({ utilization, score: score * 10 }));
  return (used, capacity) => {
    const percent = used > capacity ? 100 : Math.trunc((used * 100) / capacity);
    const index = corners.findIndex(({ utilization }) => percent <= utilization);
    const [before, after] = [corners[index - 1], corners[index]];
    if (!after) return corners.at(-1)?.score ?? 0;
    if (!before) return after.score;
    const rise = (after.score - before.score) * (percent - before.utilization);
    return before.score + Math.trunc(rise / (after.utilization - before.utilization));
  };
}

const isSpread = (name: string): name is 'cpu' | 'memory' => name === 'cpu' || name === 'memory';

/** What counts by its number alone: of what a pod does not ask for no node is better than another. */
export const isScalar = (name: string): boolean => !isSpread(name) && name !== 'ephemeral-storage';

function wantedOf(name: string, { pod, newcomerRequests }: PodInfo): number {
  if (isSpread(name)) return newcomerRequests[name];
  const amount = amountsOfNewcomer(pod).get(name);
  return amount ? unitsOf(name, amount) : 0;
}

const usedOf = (name: string, { spreadingRequested, requested }: NodeRoom): number =>
  isSpread(name) ? spreadingRequested[name] : (requested.get(name) ?? 0);

import type { ClusterState } from '../cluster/cluster-state.ts';
import type { NodeRoom } from '../cluster/node-room.ts';
import type { PodInfo } from '../cluster/pod-info.ts';
import { balancedAllocation } from './balanced-allocation.ts';
import { dynamicResources } from './dynamic-resources.ts';
import { imageLocality } from './image-locality.ts';
import { interPodAffinity } from './inter-pod-affinity.ts';
import { nodeAffinity } from './node-affinity.ts';
import { resourceAllocation, usualStrategy } from './resource-allocation.ts';
import type { ScorePlugin } from './score-plugin.ts';
import { taintToleration } from './taint-toleration.ts';
import { topologySpread } from './topology-spread.ts';

/** All wishes, with upstream's default weights. */
export const scores: readonly ScorePlugin[] = [
  taintToleration,
  nodeAffinity,
  resourceAllocation(usualStrategy),
  topologySpread,
  interPodAffinity,
  dynamicResources,
  balancedAllocation(['cpu', 'memory']),
  imageLocality,
];

/** The weighted sum of these scores for each node, in their order. */
export function totalScores(
  info: PodInfo,
  rooms: readonly NodeRoom[],
  { cluster, plugins }: { cluster: ClusterState; plugins: readonly ScorePlugin[] },
): number[] {
  const totals = rooms.map(() => 0);
  for (const { weight, score } of plugins)
    for (const [index, points] of (score(info, rooms, cluster) ?? []).entries())
      totals[index] = totals[index]! + weight * points;
  return totals;
}

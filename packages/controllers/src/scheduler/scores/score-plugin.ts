import type { ClusterState } from '../cluster/cluster-state.ts';
import type { NodeRoom } from '../cluster/node-room.ts';
import type { PodInfo } from '../cluster/pod-info.ts';

/** The score of the best node. */
export const scoreMax = 100;

/** A wish by which nodes that all would do are compared: a new one is a file and a line in `scores.ts`. */
export interface ScorePlugin {
  /** As upstream calls it. */
  name: string;
  /** How much it counts beside the others. */
  weight: number;
  /** A whole number from 0 to {@link scoreMax} for each node, in their order; undefined where all are alike to it. */
  score(info: PodInfo, rooms: readonly NodeRoom[], cluster: ClusterState): number[] | undefined;
}

/** Stretches numbers from 0 on so that the greatest becomes {@link scoreMax}. */
export function stretched(numbers: readonly number[]): number[] {
  const most = Math.max(...numbers);
  return numbers.map((each) => (most === 0 ? 0 : Math.trunc((scoreMax * each) / most)));
}

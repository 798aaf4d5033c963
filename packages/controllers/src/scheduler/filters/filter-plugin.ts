import type { ClusterState } from '../cluster/cluster-state.ts';
import type { NodeRoom } from '../cluster/node-room.ts';
import type { PodInfo } from '../cluster/pod-info.ts';

/** Why a pod can't be on a node, in words that users of kube-scheduler know. */
export interface Refusal {
  reasons: readonly string[];
  /** No pod that goes would change it (upstream: UnschedulableAndUnresolvable). */
  isFinal: boolean;
}

/** What one filter says of one pod, node by node. */
export interface PodFilter {
  /** The only nodes worth asking; default all. */
  nodeNames?: ReadonlySet<string>;
  /** Why the pod can't be on the node; undefined when it can. */
  refusal(room: NodeRoom): Refusal | undefined;
  /** Counts another pod that might come to that node (1) or go from it (-1), until it is told the opposite. */
  suppose?(other: PodInfo, room: NodeRoom, change: 1 | -1): void;
}

/** Why a pod can be nowhere. */
export interface NowhereToGo {
  message: string;
}

/** What may happen in a cluster that lets a pod fit which did not. */
export type ClusterChange =
  | 'node'
  | 'pod-placed'
  | 'pod-changed'
  | 'pod-gone'
  | 'storage'
  | 'device'
  | 'device-class'
  | 'namespace';

/** A reason for which nodes are left out: a new one is a file and a line in `filters.ts`. */
export interface FilterPlugin {
  /** As upstream calls it. */
  name: string;
  /** After which changes a pod that it refused is looked at again. */
  helpedBy: readonly ClusterChange[];
  /** Looks at the pod once, before any node; undefined when it has nothing to ask. */
  prepare(info: PodInfo, cluster: ClusterState): PodFilter | NowhereToGo | undefined;
}

/** A refusal with one reason. */
export function refuse(reason: string, { isFinal = false } = {}): Refusal {
  return { reasons: [reason], isFinal };
}

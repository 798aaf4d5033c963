import type { KubeFlags } from '../../kube/flags.ts';
import type { DryRun } from '../../objects/outcome.ts';

/** Flags of `wherry cordon` and `wherry uncordon`. */
export interface CordonFlags extends KubeFlags {
  selector?: string;
  dryRun: DryRun;
  /** How many nodes, and pods of a node, are asked for at once; 0 for all. Default: `limits.listChunkSize`. */
  chunkSize?: number;
}

/** Flags of `wherry drain`. */
export interface DrainFlags extends CordonFlags {
  /** Also pods that nobody would make anew. */
  force?: boolean;
  ignoreDaemonsets?: boolean;
  deleteEmptydirData?: boolean;
  /** Seconds; below 0 for each pod's own. */
  gracePeriod: number;
  /** Milliseconds for each node; 0 for as long as it takes. */
  timeout: number;
  podSelector?: string;
  chunkSize: number;
  /** Deletes pods, whatever disruption budgets say. */
  disableEviction?: boolean;
  /** Seconds after a pod should have been gone, from which on it is no longer waited for; 0 for never. */
  skipWaitForDeleteTimeout: number;
}

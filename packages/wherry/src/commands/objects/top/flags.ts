import { CommandError } from '../../../errors.ts';
import type { KubeFlags } from '../../../kube/flags.ts';
import type { SortedResource } from './usage.ts';

/** Flags of `wherry top`. */
export interface TopFlags extends KubeFlags {
  selector?: string;
  sortBy?: SortedResource;
  /** False for `--no-headers`. */
  headers: boolean;
  showSwap?: boolean;
}

/** Flags of `wherry top nodes`. */
export interface TopNodesFlags extends TopFlags {
  /** Shares of what the nodes have, not of what pods may take. */
  showCapacity?: boolean;
}

/** Flags of `wherry top pods`. */
export interface TopPodsFlags extends TopFlags {
  allNamespaces?: boolean;
  fieldSelector?: string;
  containers?: boolean;
  sum?: boolean;
}

/** Throws `CommandError` for an order that there is not. */
export function requireOrder({ sortBy }: TopFlags): void {
  if (sortBy !== undefined && !['cpu', 'memory'].includes(sortBy))
    throw new CommandError('--sort-by accepts only cpu or memory');
}

import type { KubeFlags } from '../../kube/flags.ts';

/** Flags of `wherry diff`. */
export interface DiffFlags extends KubeFlags {
  filename: string[];
  recursive?: boolean;
  /** Of the objects of the files. */
  selector?: string;
  /** False compares as client-side apply does. */
  serverSide?: boolean;
  forceConflicts?: boolean;
  fieldManager: string;
  showManagedFields?: boolean;
  showSecrets?: boolean;
  /** Objects that are looked at at one time. */
  concurrency: number;
  /** Objects too that `kubectl apply --prune` would delete. */
  prune?: boolean;
  /** Of which kinds, `GROUP/VERSION/KIND`. */
  pruneAllowlist?: string[];
}

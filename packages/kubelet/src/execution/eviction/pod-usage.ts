import type { TreeUsage } from '@wherry/linux';

/** What one container takes. */
export interface ContainerUsage {
  name: string;
  /** Working set; undefined where the runtime does not say. */
  memoryBytes: number | undefined;
  /** What it wrote to its own root file system. */
  layer: TreeUsage;
  logs: TreeUsage;
}

/** What one pod takes. */
export interface PodUsage {
  memoryBytes: number;
  processes: number;
  containers: readonly ContainerUsage[];
  /** Volumes on the node's disk that were measured, by name. */
  volumes: ReadonlyMap<string, TreeUsage>;
  /** Files of the node's own that the pod writes to: its hosts file, its termination messages. */
  ownFiles: TreeUsage;
}

/**
 * What of a pod lies on a file system: containers' own files; logs and other files of the
 * node that the pod writes to; volumes.
 */
export type StoragePart = 'layers' | 'logs' | 'volumes';

/** What the pod takes of the disk, in those parts. */
export function storageOf(usage: PodUsage, parts: readonly StoragePart[]): TreeUsage {
  const sum = { bytes: 0, inodes: 0 };
  const add = ({ bytes, inodes }: TreeUsage) => {
    sum.bytes += bytes;
    sum.inodes += inodes;
  };
  for (const { layer, logs } of usage.containers) {
    if (parts.includes('layers')) add(layer);
    if (parts.includes('logs')) add(logs);
  }
  if (parts.includes('volumes')) for (const volume of usage.volumes.values()) add(volume);
  if (parts.includes('logs')) add(usage.ownFiles);
  return sum;
}

/**
 * The files of a checkpoint's archive, by the names that containerd, CRI-O and checkpointctl give them
 * (github.com/checkpoint-restore/checkpointctl, lib/metadata.go).
 */
export const checkpointFiles = {
  /** Folder of CRIU's image files. */
  images: 'checkpoint',
  config: 'config.dump',
  spec: 'spec.dump',
  status: 'status.dump',
  /** Times and state, as containerd keeps them. */
  state: 'status',
  /** What the container has written, as a layer. */
  rootDiff: 'rootfs-diff.tar',
  /** Files that the container has removed, as CRI-O lists them. */
  deletedFiles: 'deleted.files',
  log: 'container.log',
  dumpLog: 'dump.log',
  statistics: 'stats-dump',
} as const;

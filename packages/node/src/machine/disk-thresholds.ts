import { statfsSync } from 'node:fs';
import { limits } from '../limits.ts';

/** Bytes of the disk that a folder is on. */
export function sizeOf(folder: string): number {
  const { blocks, bsize } = statfsSync(folder);
  return blocks * bsize;
}

/**
 * What must be left of a disk for a node not to evict pods, as `evictionHard` says it: next to nothing, and less than unpacking an
 * image leaves. Of upstream's defaults, 10 % are 50 GB of a laptop's disk, and 5 % of the inodes more than all its pods have.
 */
export function diskThresholds(bytes: number): Record<string, string> {
  const { diskLeftMebibytes } = limits;
  const isSmall = bytes < diskLeftMebibytes * 1024 * 1024 * 100;
  return { 'nodefs.available': isSmall ? '1%' : `${diskLeftMebibytes}Mi`, 'nodefs.inodesFree': '1%' };
}

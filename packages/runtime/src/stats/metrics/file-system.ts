import { readlinkSync, statfsSync, statSync } from 'node:fs';
import { basename } from 'node:path';

/** The file system that containers write to. */
export interface FileSystemFigures {
  /** `/dev/NAME`, or the device's numbers where it has no name. */
  device: string;
  capacityBytes: number;
  inodes: number;
  inodesFree: number;
}

/** `/dev/NAME` of a block device given as `major:minor`, or that itself where the kernel has no name for it. */
export function deviceName(device: string): string {
  try {
    return `/dev/${basename(readlinkSync(`/sys/dev/block/${device}`))}`;
  } catch {
    return device;
  }
}

/** The file system that a folder lies on. */
export function fileSystemOf(folder: string): FileSystemFigures {
  const { bsize, blocks, files, ffree } = statfsSync(folder);
  const { dev } = statSync(folder);
  // As the C library splits device numbers (makedev(3)).
  const major = Math.floor(dev / 256) & 0xfff;
  const minor = (dev & 0xff) | (Math.floor(dev / 4096) & 0xfff00);
  return {
    device: deviceName(`${major}:${minor}`),
    capacityBytes: bsize * blocks,
    inodes: files,
    inodesFree: ffree,
  };
}

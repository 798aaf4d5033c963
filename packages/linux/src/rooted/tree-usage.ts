import { constants, openSync, type Stats } from 'node:fs';
import { lstat, readdir } from 'node:fs/promises';
import { hasCode } from '../errors.ts';
import { limits } from '../limits.ts';
import { OpenFolder } from './open-folder.ts';

/** What a tree of files takes on disk. */
export interface TreeUsage {
  bytes: number;
  inodes: number;
}

/** What one file takes on disk: its blocks are counted in halves of a kibibyte, whatever the file system's are. */
export const bytesOnDisk = ({ blocks }: Pick<Stats, 'blocks'>): number => blocks * 512;
const folderOnly = constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW;

/**
 * What lies in a folder that others write to meanwhile, the folder itself left out: each folder is opened in the one
 * before, so that none that becomes a link leads out, and names may be any bytes. A file of several names counts once, other
 * file systems mounted below do not, and what goes meanwhile is left out. Below `treeUsageDepthMax` folders nothing is
 * counted. Rejects with `signal.reason`, and with what the kernel says of the folder itself.
 */
export async function measureTree(folder: string, signal?: AbortSignal): Promise<TreeUsage> {
  using open = OpenFolder.at(folder);
  const { dev: device } = await lstat(open.itself);
  const walk: Walk = { sum: { bytes: 0, inodes: 0 }, device, linked: new Set(), signal };
  await addFolder(open, walk, 1);
  return walk.sum;
}

interface Walk {
  sum: TreeUsage;
  device: number;
  /** Files of several names that were counted; of more than `linkedFilesMax` each name counts. */
  linked: Set<number>;
  signal: AbortSignal | undefined;
}

async function addFolder(folder: OpenFolder, walk: Walk, depth: number): Promise<void> {
  for (const name of await readdir(folder.path, { encoding: 'buffer' })) {
    walk.signal?.throwIfAborted();
    const path = Buffer.concat([Buffer.from(`${folder.path}/`), name]);
    try {
      const status = await lstat(path);
      if (status.dev !== walk.device || walk.linked.has(status.ino)) continue;
      if (status.nlink > 1 && !status.isDirectory() && walk.linked.size < limits.linkedFilesMax)
        walk.linked.add(status.ino);
      walk.sum.inodes++;
      walk.sum.bytes += bytesOnDisk(status);
      if (!status.isDirectory() || depth === limits.treeUsageDepthMax) continue;
      using below = new OpenFolder(openSync(path, folderOnly));
      await addFolder(below, walk, depth + 1);
    } catch (error) {
      if (!hasCode(error, 'ENOENT', 'ENOTDIR', 'ELOOP')) throw error;
    }
  }
}

import { basename, dirname } from 'node:path';
import { hasCode, measureTree, OpenFolder, type TreeUsage } from '@wherry/linux';
import { detach } from './unmount-pod.ts';
import type { VolumeRoots } from './volume-plugin.ts';

/** Unmounts and removes what a volume has in its pod's folder. No link is followed, and nothing beside it touched. */
export async function removeLocalVolume({ content, notes }: VolumeRoots): Promise<void> {
  for (const path of [content, notes]) await removeFolder(path);
}

/** What a volume that is a folder on disk takes; undefined while it is not there. */
export async function localVolumeUsage(
  { content }: VolumeRoots,
  signal: AbortSignal,
): Promise<TreeUsage | undefined> {
  try {
    return await measureTree(content, signal);
  } catch (error) {
    if (!hasCode(error, 'ENOENT')) throw error;
    return undefined;
  }
}

async function removeFolder(path: string): Promise<void> {
  try {
    using parent = OpenFolder.at(dirname(path));
    detach(parent, basename(path));
    await parent.removeInTurns(basename(path));
  } catch (error) {
    if (!hasCode(error, 'ENOENT')) throw error;
  }
}

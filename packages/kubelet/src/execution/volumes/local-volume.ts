import { basename, dirname } from 'node:path';
import { hasCode, OpenFolder } from '@wherry/linux';
import { detach } from './unmount-pod.ts';
import type { VolumeRoots } from './volume-plugin.ts';

/** Unmounts and removes what a volume has in its pod's folder. No link is followed, and nothing beside it touched. */
export async function removeLocalVolume({ content, notes }: VolumeRoots): Promise<void> {
  for (const path of [content, notes]) await removeFolder(path);
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

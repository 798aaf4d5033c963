import { readdir, rmdir, unlink } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { hasCode } from '@wherry/linux';
import { volumeDataPath } from './volume-data.ts';

/**
 * Removes the folder of a volume whose driver has let go of it: first the place itself, which a driver may leave empty,
 * then what was written down, then the folder. Throws when something is still mounted there, or in it.
 */
export async function removePlace(folder: string, place: string): Promise<void> {
  await removeEmpty(join(folder, place));
  const notes = basename(volumeDataPath(folder));
  for (const name of await readdir(folder).catch(() => []))
    if (name.startsWith(notes)) await unlink(join(folder, name));
  await removeEmpty(folder);
}

/** Removes an empty folder or a file; what is not there is fine. */
export async function removeEmpty(path: string): Promise<void> {
  try {
    await rmdir(path);
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return;
    if (hasCode(error, 'ENOTDIR')) return unlink(path);
    const why = hasCode(error, 'EBUSY', 'ENOTEMPTY') ? 'is still in use' : (error as Error).message;
    throw new Error(`"${path}" can't be removed after its CSI driver let go of it: ${why}`, { cause: error });
  }
}

import { closeSync, constants, fstatSync, readSync } from 'node:fs';
import { hasCode, OpenFolder } from '@wherry/linux';
import { environmentFileBytesMax } from '../../limits.ts';

/**
 * The text of a file in a volume that containers write to: links lead nowhere but into the volume, and only a regular
 * file is read. Undefined when there is none. Throws when it is longer than {@link environmentFileBytesMax}.
 */
export async function readEnvironmentFile(volumeDir: string, path: string): Promise<string | undefined> {
  let descriptor: number;
  try {
    using volume = OpenFolder.at(volumeDir);
    // A pipe that nobody writes to would be waited for.
    descriptor = volume.open(path, { flags: constants.O_RDONLY | constants.O_NONBLOCK });
  } catch (error) {
    if (hasCode(error, 'ENOENT', 'ENOTDIR')) return undefined;
    throw error;
  }
  try {
    const stats = fstatSync(descriptor);
    if (!stats.isFile()) throw new Error(`"${path}" is no file`);
    if (stats.size > environmentFileBytesMax)
      throw new Error(
        `"${path}" has ${stats.size} bytes; a file of variables has at most ${environmentFileBytesMax}`,
      );
    const buffer = Buffer.alloc(stats.size);
    return buffer.toString('utf8', 0, readSync(descriptor, buffer));
  } finally {
    closeSync(descriptor);
  }
}

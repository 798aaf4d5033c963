/** The files of this machine. */
import { readFileSync, realpathSync, type Stats, statSync } from 'node:fs';
import { KustomizeError } from '../errors.ts';
import { limits } from '../limits.ts';
import type { FileTree } from './file-tree.ts';

export const machineFiles: FileTree = {
  locate(path) {
    return found(() => {
      const status = statSync(path, { throwIfNoEntry: false });
      return status && { path: realpathSync(path), isFolder: status.isDirectory() };
    });
  },
  read(path) {
    return found(() => {
      refuseOdd(path, statSync(path));
      return readFileSync(path);
    });
  },
};

/** A pipe or a device may have no end, and no beginning. */
function refuseOdd(path: string, status: Stats): void {
  if (!status.isFile()) throw new KustomizeError(`${path} is no regular file`);
  if (status.size > limits.fileBytesMax)
    throw new KustomizeError(`${path} has ${status.size} bytes; files may have ${limits.fileBytesMax}`);
}

/** What the machine says of a path that is none, or may not be read. */
function found<T>(look: () => T): T {
  try {
    return look();
  } catch (error) {
    if (error instanceof KustomizeError) throw error;
    throw new KustomizeError((error as Error).message, { cause: error });
  }
}

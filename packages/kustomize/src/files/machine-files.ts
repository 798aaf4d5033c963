/** The files of this machine. */
import { readFileSync, realpathSync, statSync } from 'node:fs';
import { KustomizeError } from '../errors.ts';
import { limits } from '../limits.ts';
import type { FileTree } from './file-tree.ts';

export const machineFiles: FileTree = {
  locate(path) {
    const status = statSync(path, { throwIfNoEntry: false });
    return status && { path: realpathSync(path), isFolder: status.isDirectory() };
  },
  read(path) {
    const { size } = statSync(path);
    if (size > limits.fileBytesMax)
      throw new KustomizeError(`${path} has ${size} bytes; files may have ${limits.fileBytesMax}`);
    return readFileSync(path);
  },
};

import { constants } from 'node:fs';
import { copyTree, hasCode, OpenFolder } from '@wherry/linux';
import { ImageError } from '../errors.ts';

/**
 * Copies the folder at `path` below `root` into the empty folder `target`, links on the way to it read as a process
 * chrooted there would (so that an image's volume never leads out of it, CVE-2022-23648). A folder that is not there
 * leaves it empty. Throws `ImageError` INVALID_ARGUMENT for what is no folder.
 */
export function copyFolderOfRoot(root: string, path: string, target: string): void {
  using rootFolder = OpenFolder.at(root);
  using to = OpenFolder.at(target);
  try {
    using from = rootFolder.folder(path, { flags: constants.O_RDONLY | constants.O_DIRECTORY });
    copyTree(from, to);
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return;
    if (!hasCode(error, 'ENOTDIR', 'ELOOP')) throw error;
    throw new ImageError('INVALID_ARGUMENT', `the image's volume "${path}" is no directory in it`);
  }
}

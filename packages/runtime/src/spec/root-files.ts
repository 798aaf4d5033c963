import { closeSync, constants, fstatSync, openSync, readFileSync, readlinkSync } from 'node:fs';
import { descriptorPath, hasCode, OpenFolder, pathOnlyFlag } from '@wherry/linux';
import { RuntimeError } from '../errors.ts';

/**
 * What `use` makes of the file at `path` below `root`, every symbolic link on the way read as a process chrooted there
 * would; undefined when nothing is there. Throws `RuntimeError` INVALID_ARGUMENT for a loop of links.
 */
function withFileInRoot<Result>(
  root: string,
  path: string,
  use: (descriptor: number) => Result,
): Result | undefined {
  using folder = OpenFolder.at(root);
  let descriptor: number;
  try {
    // Only named, not opened: to open a device may already act on it.
    descriptor = folder.open(path, { flags: pathOnlyFlag });
  } catch (error) {
    if (hasCode(error, 'ENOENT', 'ENOTDIR')) return undefined;
    if (hasCode(error, 'ELOOP'))
      throw new RuntimeError('INVALID_ARGUMENT', `too many symbolic links in "${path}" of the image`);
    throw error;
  }
  try {
    return use(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

/**
 * The real path of a folder below `root`; undefined when nothing is there. It holds while nobody writes below `root`.
 * Throws `RuntimeError` INVALID_ARGUMENT for what is no folder.
 */
export function folderInRoot(root: string, path: string): string | undefined {
  return withFileInRoot(root, path, (descriptor) => {
    if (!fstatSync(descriptor).isDirectory())
      throw new RuntimeError('INVALID_ARGUMENT', `"${path}" of the image is no directory`);
    return readlinkSync(descriptorPath(descriptor));
  });
}

/**
 * A small regular file below `root` as text; empty when absent. Throws `RuntimeError` INVALID_ARGUMENT for anything
 * else.
 */
export function readTextInRoot(root: string, path: string, bytesMax: number): string {
  const text = withFileInRoot(root, path, (found) => {
    const status = fstatSync(found);
    if (!status.isFile())
      throw new RuntimeError('INVALID_ARGUMENT', `"${path}" of the image is no regular file`);
    if (status.size > bytesMax)
      throw new RuntimeError('INVALID_ARGUMENT', `"${path}" of the image is larger than ${bytesMax} bytes`);
    const descriptor = openSync(descriptorPath(found), constants.O_RDONLY);
    try {
      return readFileSync(descriptor, 'utf8');
    } finally {
      closeSync(descriptor);
    }
  });
  return text ?? '';
}

import { closeSync, constants, fstatSync, lstatSync, openSync, readFileSync, readlinkSync } from 'node:fs';
import { RuntimeError } from '../errors.ts';
import { limits } from '../limits.ts';

/**
 * The real path of a file below `root`, with every symbolic link on the way read as a process chrooted there would
 * read it; undefined when it does not exist. Callers hold `root` while nothing runs inside.
 */
export function pathInRoot(root: string, path: string): string | undefined {
  const done: string[] = [];
  const left = path.split('/').reverse();
  let links = 0;
  while (left.length > 0) {
    const part = left.pop();
    if (part === undefined || part === '' || part === '.') continue;
    if (part === '..') {
      done.pop();
      continue;
    }
    const full = [root, ...done, part].join('/');
    const status = lstatSync(full, { throwIfNoEntry: false });
    if (status === undefined) return undefined;
    if (!status.isSymbolicLink()) {
      done.push(part);
      continue;
    }
    if (++links > limits.symlinksMax)
      throw new RuntimeError('INVALID_ARGUMENT', `too many symbolic links in "${path}"`);
    const target = readlinkSync(full);
    if (target.startsWith('/')) done.length = 0;
    left.push(...target.split('/').reverse());
  }
  return [root, ...done].join('/');
}

/** A small regular file below `root` as text; empty when absent. Throws `RuntimeError` INVALID_ARGUMENT for anything else. */
export function readTextInRoot(root: string, path: string, bytesMax: number): string {
  const full = pathInRoot(root, path);
  if (full === undefined) return '';
  const fd = openSync(full, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  try {
    const status = fstatSync(fd);
    if (!status.isFile())
      throw new RuntimeError('INVALID_ARGUMENT', `"${path}" of the image is no regular file`);
    if (status.size > bytesMax)
      throw new RuntimeError('INVALID_ARGUMENT', `"${path}" of the image is larger than ${bytesMax} bytes`);
    return readFileSync(fd, 'utf8');
  } finally {
    closeSync(fd);
  }
}

import { readFileSync, statfsSync } from 'node:fs';
import { hasCode, writeFileAtomicSync } from '@wherry/linux';
import { NodeError } from '../errors.ts';
import { limits } from '../limits.ts';

/**
 * Gives a file of the node that content, in one step that outlives the machine; one that has it already is not written, so
 * that a node that was there comes up on a full disk. A new one that `isSettledLater` does not wait for the disk: a start does,
 * once for all of them (`settleFiles`). Throws `NodeError` `disk-full`, with the file as it was.
 */
export function keepFile(
  path: string,
  content: string,
  { mode = 0o600, isSettledLater = false }: { mode?: number; isSettledLater?: boolean } = {},
): void {
  const before = contentOf(path);
  if (before === content) return;
  const outlivesMachine = before !== undefined || !isSettledLater;
  namingFullDisk(path, () => writeFileAtomicSync(path, content, { mode, outlivesMachine }));
}

/** Runs what writes a file of the node; a full disk is told of by the file's name and what to do. */
export function namingFullDisk<T>(path: string, write: () => T): T {
  try {
    return write();
  } catch (error) {
    if (!hasCode(error, 'ENOSPC', 'EDQUOT')) throw error;
    throw new NodeError(
      'disk-full',
      `"${path}" can't be written, since its disk is full; make room there and repeat the command (what stood in the file still does)`,
      { cause: error },
    );
  }
}

/** Undefined where there is none, or none that can be read. */
function contentOf(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}

/** Whether the disk of a folder takes nothing more, root's reserve included. */
export function isFull(folder: string): boolean {
  const { bfree, bsize } = statfsSync(folder);
  return bfree * bsize < limits.fullDiskBytes;
}

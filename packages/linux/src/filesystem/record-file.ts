import {
  closeSync,
  fstatSync,
  fsyncSync,
  openSync,
  renameSync,
  rmSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { hasCode } from '../errors.ts';

/** Records have whole blocks, of which so much is left for what is still to be noted. */
const blockBytes = 4096;
const spareBytes = 1024;

/**
 * Replaces a small text file in one step, or makes it; spaces behind the text fill its blocks. Where the disk has no room for
 * a second copy, the text goes over the old one, which takes no room as long as it fits: what ends on a full disk must be
 * noted all the same. What is written outlives this process; the machine, too, with `outlivesMachine`, which waits for the disk.
 */
export function writeRecord(path: string, text: string, { outlivesMachine = false } = {}): void {
  const length = Math.ceil((Buffer.byteLength(text) + spareBytes) / blockBytes) * blockBytes;
  const temporary = `${path}.tmp`;
  try {
    writeFileSync(temporary, padded(text, length), { mode: 0o600, flush: outlivesMachine });
    renameSync(temporary, path);
  } catch (error) {
    if (!hasCode(error, 'ENOSPC', 'EDQUOT')) throw error;
    rmSync(temporary, { force: true });
    if (!isWrittenOver(path, text, outlivesMachine)) throw error;
  }
}

function isWrittenOver(path: string, text: string, outlivesMachine: boolean): boolean {
  let descriptor: number;
  try {
    descriptor = openSync(path, 'r+');
  } catch {
    return false;
  }
  try {
    const { size } = fstatSync(descriptor);
    if (Buffer.byteLength(text) > size || writeSync(descriptor, padded(text, size), 0, size, 0) !== size)
      return false;
    if (outlivesMachine) fsyncSync(descriptor);
    return true;
  } catch {
    return false;
  } finally {
    closeSync(descriptor);
  }
}

function padded(text: string, length: number): Buffer {
  const bytes = Buffer.alloc(length, ' ');
  bytes.write(text);
  return bytes;
}

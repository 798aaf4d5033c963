import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { limits } from '../limits.ts';

/** The last lines of a log file; empty when it can't be read. */
export function logTail(path: string): string {
  try {
    const file = openSync(path, 'r');
    try {
      const { size } = fstatSync(file);
      const buffer = Buffer.alloc(Math.min(size, limits.logTailBytes));
      readSync(file, buffer, 0, buffer.length, size - buffer.length);
      return buffer.toString('utf8').trimEnd().split('\n').slice(-limits.logTailLines).join('\n');
    } finally {
      closeSync(file);
    }
  } catch {
    return '';
  }
}

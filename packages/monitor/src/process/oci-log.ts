import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { shownJson } from '@wherry/bytes';
import { limits } from '../limits.ts';

/** The last error in an OCI runtime's log (`--log-format json`), or null. */
export function lastOciError(path: string): string | null {
  for (const line of readTail(path).split('\n').reverse()) {
    const message = errorOf(line);
    if (message !== null) return message;
  }
  return null;
}

function errorOf(line: string): string | null {
  try {
    const entry: unknown = JSON.parse(line);
    if (typeof entry !== 'object' || entry === null || !('level' in entry) || !('msg' in entry)) return null;
    return entry.level === 'error' || entry.level === 'fatal' ? shownJson(entry.msg) : null;
  } catch {
    return null;
  }
}

/** The last bytes of a log; empty where there is none. */
export function readTail(path: string): string {
  let descriptor: number;
  try {
    descriptor = openSync(path, 'r');
  } catch {
    return '';
  }
  try {
    const { size } = fstatSync(descriptor);
    const bytes = Math.min(size, limits.ociLogBytesMax);
    const buffer = Buffer.alloc(bytes);
    readSync(descriptor, buffer, 0, bytes, size - bytes);
    return buffer.toString('utf8');
  } finally {
    closeSync(descriptor);
  }
}

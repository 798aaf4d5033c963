import { lstatSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { systemClock } from '@wherry/clock';
import { limits } from '../../limits.ts';

/** Removes what lies in a folder under a name that begins so, once it has not changed for `limits.compiledUnusedMs`. */
export function removeUnused(folder: string, prefix = ''): void {
  for (const name of readdirSync(folder)) {
    const path = join(folder, name);
    if (name.startsWith(prefix) && isUnused(path)) rmSync(path, { recursive: true, force: true });
  }
}

/** What another process has just removed is none. */
function isUnused(path: string): boolean {
  const found = lstatSync(path, { throwIfNoEntry: false });
  return found !== undefined && systemClock.nowMs() - found.mtimeMs > limits.compiledUnusedMs;
}

import { createHash } from 'node:crypto';
import { lstatSync, mkdirSync } from 'node:fs';
import module from 'node:module';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { removeUnused } from './unused.ts';

/** Whose folder it is, and where; by default of this process. */
export interface CompileCacheOptions {
  /** Number of the user. */
  uid?: number;
  /** Where the user's programs keep what can be made again. */
  cacheHome?: string;
}

/**
 * A folder for the compiled modules of this installation, or nothing where there is none that only this user can write:
 * Node runs what lies there as it is. Root has one of its own, whoever's home `sudo` has left in the environment. What
 * other installations left is removed when they have compiled nothing for 30 days.
 */
export function compileCacheFolder({
  uid = process.geteuid!(),
  cacheHome = cacheHomeOf(uid),
}: CompileCacheOptions = {}): string | undefined {
  const home = join(cacheHome, 'wherry');
  const installation = createHash('sha256')
    .update(import.meta.url)
    .digest('hex')
    .slice(0, 16);
  const folder = join(home, installation);
  try {
    const isNew = mkdirSync(folder, { recursive: true, mode: 0o700 }) !== undefined;
    if (![home, folder].every((path) => isOnlyFor(uid, path))) return undefined;
    if (isNew) removeUnused(home);
    return folder;
  } catch {
    return undefined;
  }
}

/** Where this process finds compiled modules: as `NODE_COMPILE_CACHE` says, or the folder of this installation. */
export function cacheFolder(): string | undefined {
  return process.env['NODE_COMPILE_CACHE'] || compileCacheFolder();
}

/**
 * Keeps the compiled modules of this process, and of the commands that it starts, so that the next start is quicker; the
 * processes of a node go without (`spawn-role.ts`). Leaves alone what `NODE_COMPILE_CACHE` says.
 */
export function keepCompiled(): void {
  if (process.env['NODE_COMPILE_CACHE']) return;
  const folder = compileCacheFolder();
  if (folder === undefined) return;
  module.enableCompileCache(folder);
  process.env['NODE_COMPILE_CACHE'] = folder;
}

function cacheHomeOf(uid: number): string {
  return uid === 0 ? '/var/cache' : process.env['XDG_CACHE_HOME'] || join(homedir(), '.cache');
}

function isOnlyFor(uid: number, path: string): boolean {
  const found = lstatSync(path);
  return found.isDirectory() && found.uid === uid && (found.mode & 0o022) === 0;
}

import {
  closeSync,
  mkdirSync,
  openSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { CommandError } from '../errors.ts';

/**
 * Changes a file that kubectl changes too: under its lock (`FILE.lock`, as client-go takes it) and by a rename, so that
 * nobody reads half of it. `change` gets the text, empty where there is none, and gives back the new one, or nothing to
 * leave it. Throws `CommandError` while another holds the lock.
 */
export function changeLocked(path: string, change: (text: string) => string | undefined): void {
  mkdirSync(dirname(path), { recursive: true, mode: 0o755 });
  const lock = `${path}.lock`;
  closeSync(takeLock(lock));
  try {
    const file = targetOf(path);
    const changed = change(readIfThere(file));
    if (changed === undefined) return;
    const draft = `${file}.${process.pid}`;
    writeFileSync(draft, changed, { mode: 0o600, flag: 'wx' });
    renameSync(draft, file);
  } finally {
    rmSync(lock, { force: true });
  }
}

function takeLock(lock: string): number {
  try {
    return openSync(lock, 'wx', 0o600);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    throw new CommandError(`"${lock}" says that another program changes this file; remove it if none does`, {
      cause: error,
    });
  }
}

/** A kubeconfig may be a link into another folder; the link stays. */
function targetOf(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}

function readIfThere(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return '';
    throw error;
  }
}

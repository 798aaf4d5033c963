import {
  chownSync,
  closeSync,
  mkdirSync,
  openSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
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
  underLocks([path], () => {
    const changed = change(readIfThere(path));
    if (changed !== undefined) replaceFile(path, changed);
  });
}

/** Does something while nobody else changes these files; always in one order, so that two never wait for each other. */
export function underLocks<T>(paths: readonly string[], work: () => T): T {
  const held: string[] = [];
  try {
    for (const path of paths.toSorted()) {
      mkdirSync(dirname(path), { recursive: true, mode: 0o755 });
      closeSync(takeLock(`${path}.lock`));
      held.push(`${path}.lock`);
    }
    return work();
  } finally {
    for (const lock of held) rmSync(lock, { force: true });
  }
}

/** Puts a text in the place of a file's, which only its owner may read. The file stays who it belongs to. */
export function replaceFile(path: string, text: string): void {
  const file = targetOf(path);
  const draft = `${file}.${process.pid}`;
  writeFileSync(draft, text, { mode: 0o600, flag: 'wx' });
  try {
    const owner = statSync(file, { throwIfNoEntry: false });
    if (owner && process.getuid?.() === 0) chownSync(draft, owner.uid, owner.gid);
    renameSync(draft, file);
  } catch (error) {
    rmSync(draft, { force: true });
    throw error;
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

/** The text of a file; empty where there is none. */
export function readIfThere(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return '';
    throw error;
  }
}

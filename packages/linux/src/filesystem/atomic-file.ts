import { closeSync, fsyncSync, openSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { open, readdir, readFile, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { hasCode } from '../errors.ts';

let counter = 0;
const temporaryName = (path: string) => `${path}.${process.pid}.${++counter}.tmp`;

/**
 * Replaces a file so that a crash leaves either the old or the new content: temp file, fsync, rename, fsync. A failure, as on
 * a full disk, leaves the old one alone.
 */
export async function writeFileAtomic(
  path: string,
  content: string | Uint8Array,
  mode = 0o600,
): Promise<void> {
  const temporary = temporaryName(path);
  const file = await open(temporary, 'wx', mode);
  try {
    try {
      await file.writeFile(content);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(temporary, path);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
  await syncDirectory(dirname(path));
}

/**
 * As {@link writeFileAtomic}, at once: milliseconds, for which it waits for the disk. Without `outlivesMachine` it does not, and
 * what is written outlives this process alone, until {@link syncFiles} has come to it.
 */
export function writeFileAtomicSync(
  path: string,
  content: string,
  { mode = 0o600, outlivesMachine = true } = {},
): void {
  const temporary = temporaryName(path);
  const fd = openSync(temporary, 'wx', mode);
  try {
    try {
      writeFileSync(fd, content);
      if (outlivesMachine) fsyncSync(fd);
    } finally {
      closeSync(fd);
    }
    renameSync(temporary, path);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  }
}

/** Makes the files right in a directory durable, with their names. They are handed to the disk together. */
export async function syncFiles(path: string): Promise<void> {
  const entries = await readdir(path, { withFileTypes: true });
  await Promise.all(
    entries
      .filter((entry) => entry.isFile())
      .map(async ({ name }) => {
        const file = await open(join(path, name), 'r');
        await file.sync().finally(() => file.close());
      }),
  );
  await syncDirectory(path);
}

/** Makes the names inside a directory durable. */
export async function syncDirectory(path: string): Promise<void> {
  const directory = await open(path, 'r');
  try {
    await directory.sync();
  } finally {
    await directory.close();
  }
}

/** Reads every `*.json` of a directory, removing what a crash left half-written. Unreadable files are reported. */
export async function readRecords<Record>(
  directory: string,
  onBroken: (path: string, error: unknown) => void,
): Promise<Record[]> {
  const records: Record[] = [];
  for (const name of await readdir(directory)) {
    const path = join(directory, name);
    if (name.endsWith('.tmp')) await rm(path, { force: true });
    if (!name.endsWith('.json')) continue;
    try {
      records.push(JSON.parse(await readFile(path, 'utf8')) as Record);
    } catch (error) {
      if (!hasCode(error, 'ENOENT')) onBroken(path, error);
    }
  }
  return records;
}

import { isUtf8 } from 'node:buffer';
import { createReadStream } from 'node:fs';
import { lstat, readdir, readlink } from 'node:fs/promises';
import { join } from 'node:path';
import { ClientError } from '../errors.ts';

/** One thing to put into an archive. `path` is its local place, `name` its place in the archive. */
export interface LocalEntry {
  path: string;
  name: string;
  kind: 'file' | 'directory' | 'symlink';
  size: number;
  mode: number;
  modified: Date;
  /** Target of a symbolic link. */
  target?: string;
}

const permissionBits = 0o7777;

/**
 * What is at `path` and below, parents first, each folder in the order of names. Sockets and devices are left out, and so are
 * names that are not UTF-8, which `skipped` is told of.
 */
export async function* walk(
  path: string,
  name: string,
  skipped: (path: string) => void = () => {},
): AsyncGenerator<LocalEntry> {
  const stat = await lstat(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') {
      throw new ClientError('bad-argument', `${path} doesn't exist in local filesystem`);
    }
    throw error;
  });
  const entry = { path, name, size: 0, mode: stat.mode & permissionBits, modified: stat.mtime };
  if (stat.isSymbolicLink()) yield { ...entry, kind: 'symlink', target: await readlink(path) };
  else if (stat.isFile()) yield { ...entry, kind: 'file', size: stat.size };
  else if (stat.isDirectory()) {
    yield { ...entry, kind: 'directory' };
    for (const child of await namesIn(path, skipped))
      yield* walk(join(path, child), `${name}/${child}`, skipped);
  }
}

/** The warning about a name that neither archive nor list of hashes can say. */
export const notUtf8 = (path: string): string => `warning: skipping "${path}", whose name is not UTF-8`;

async function namesIn(folder: string, skipped: (path: string) => void): Promise<string[]> {
  const names: string[] = [];
  for (const bytes of await readdir(folder, { encoding: 'buffer' })) {
    if (isUtf8(bytes)) names.push(bytes.toString());
    else skipped(join(folder, bytes.toString()));
  }
  return names.sort();
}

/** Exactly `size` bytes of a file, however it grows meanwhile. */
export function readExactly(path: string, size: number): AsyncIterable<Uint8Array> {
  return size === 0 ? empty() : createReadStream(path, { end: size - 1, highWaterMark: 1 << 18 });
}

async function* empty(): AsyncGenerator<Uint8Array> {}

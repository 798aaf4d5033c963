import { randomBytes } from 'node:crypto';
import {
  chmod,
  chown,
  mkdir,
  readdir,
  readFile,
  readlink,
  rename,
  rm,
  stat,
  symlink,
  writeFile,
} from 'node:fs/promises';
import { dirname, isAbsolute, join, normalize } from 'node:path';
import type { Payload, PayloadFile } from './payload.ts';

const dataLink = '..data';

/**
 * Makes `folder` show exactly `payload`, all files changing at one instant: they are written to a new timestamped
 * folder, then the link `..data` is renamed over. Top-level names link into `..data`. True when anything changed.
 * Throws on a path that would leave the folder.
 */
export async function writeAtomically(folder: string, payload: Payload): Promise<boolean> {
  for (const path of payload.keys()) refuseEscape(path);
  const current = await readlink(join(folder, dataLink)).catch(() => undefined);
  if (current && (await holds(join(folder, current), payload))) return false;
  const fresh = `..${timestamp()}.${randomBytes(5).toString('hex').slice(0, 9)}`;
  await writePayload(join(folder, fresh), payload);
  const temporary = join(folder, `${dataLink}_tmp`);
  await rm(temporary, { force: true });
  await symlink(fresh, temporary);
  await rename(temporary, join(folder, dataLink));
  await linkNames(folder, payload);
  if (current) await rm(join(folder, current), { recursive: true, force: true });
  return true;
}

function refuseEscape(path: string): void {
  const clean = normalize(path);
  if (path === '' || isAbsolute(path) || clean.split('/').includes('..') || clean.startsWith('..')) {
    throw new Error(`invalid path "${path}": must be relative, without ".."`);
  }
}

async function writePayload(folder: string, payload: Payload): Promise<void> {
  await mkdir(folder, { mode: 0o755 });
  await chmod(folder, 0o755);
  for (const [path, file] of payload) {
    const target = join(folder, path);
    await mkdir(dirname(target), { recursive: true, mode: 0o755 });
    await writeFile(target, file.bytes, { mode: file.mode });
    await chmod(target, file.mode);
    if (file.uid !== undefined || file.gid !== undefined) await chown(target, file.uid ?? 0, file.gid ?? 0);
  }
}

async function linkNames(folder: string, payload: Payload): Promise<void> {
  const wanted = new Set([...payload.keys()].map((path) => normalize(path).split('/')[0] ?? path));
  const present = (await readdir(folder)).filter((name) => !name.startsWith('..'));
  for (const name of wanted) {
    if (!present.includes(name)) await symlink(join(dataLink, name), join(folder, name));
  }
  for (const name of present.filter((name) => !wanted.has(name)))
    await rm(join(folder, name), { force: true });
}

async function holds(folder: string, payload: Payload): Promise<boolean> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => undefined);
  if (entries?.filter((entry) => entry.isFile()).length !== payload.size) return false;
  for (const [path, file] of payload) if (!(await sameFile(join(folder, path), file))) return false;
  return true;
}

async function sameFile(path: string, { bytes, mode }: PayloadFile): Promise<boolean> {
  const [content, stats] = await Promise.all([
    readFile(path).catch(() => undefined),
    stat(path).catch(() => undefined),
  ]);
  return stats !== undefined && (stats.mode & 0o7777) === mode && content?.equals(bytes) === true;
}

function timestamp(): string {
  return new Date().toISOString().replace(/[-:]/g, '_').replace('T', '_').slice(0, 19);
}

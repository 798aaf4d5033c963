import { randomBytes } from 'node:crypto';
import {
  chmodSync,
  closeSync,
  constants,
  fchmodSync,
  fchownSync,
  fstatSync,
  lchownSync,
  readFileSync,
  readlinkSync,
  renameSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, isAbsolute, join, normalize } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { hasCode, OpenFolder } from '@wherry/linux';
import type { Payload, PayloadFile } from './payload.ts';

const dataLink = '..data';
const createFlags = constants.O_CREAT | constants.O_EXCL | constants.O_WRONLY;
/** Mode of folders inside the volume. */
const folderMode = 0o755;
/** What a group adds: new files in a folder are its own, too. */
const setGroupId = 0o2000;
/** What it adds to the volume's own folder, as to an emptyDir, which upstream makes first. */
const ownFolderBits = 0o2770;

/** Files between two turns of the event loop. */
const filesPerTurn = 200;
/** What upstream takes of a path, and of each name in it. */
const [pathBytesMax, nameBytesMax] = [4_096, 255];

/** How a volume is written. */
export interface WriteOptions {
  /** Names the new folder. */
  nowMs: number;
  /** Group of the volume's folders. Default: this process's. */
  gid?: number | undefined;
  /** Places of what containers mount inside: folders, where there is no file of the payload's. Default: none. */
  nested?: readonly string[];
}

/**
 * Makes `folder` show exactly `payload`, all files changing at one instant: they are written to a new timestamped
 * folder, then the link `..data` is renamed over. Top-level names link into `..data`; folders beside these stay: something
 * may be mounted there. True when any file changed.
 * Of thousands of files others have their turns meanwhile; whoever else writes to the same folder has to wait for the end.
 * Works by descriptors: nothing outside the folder is touched, whatever lies in it. Throws on a path that would leave it.
 */
export async function writeAtomically(
  folder: string,
  given: Payload,
  { nowMs, gid, nested = [] }: WriteOptions,
): Promise<boolean> {
  const payload = new Map([...given].map(([path, file]) => [cleanPath(path), file]));
  using root = OpenFolder.at(folder);
  if (gid !== undefined) giveOwnFolder(root, gid);
  for (const path of nested)
    if (!payload.has(path)) root.makeFolders(path, { mode: folderMode, links: 'beneath' }).close();
  const current = dataFolderOf(root);
  const pace = turns();
  if (current && (await holds(root, current, payload, pace))) {
    // Who wrote it may have been killed before its names were there.
    await linkNames(root, payload, pace);
    return false;
  }
  const fresh = `..${timestamp(nowMs)}.${randomBytes(5).toString('hex').slice(0, 9)}`;
  await writePayload(root, { name: fresh, payload, gid, pace });
  const temporary = `${dataLink}_tmp`;
  root.remove(temporary);
  symlinkSync(fresh, root.entry(temporary));
  renameSync(root.entry(temporary), root.entry(dataLink));
  await linkNames(root, payload, pace);
  if (current) await root.removeInTurns(current);
  return true;
}

type Pace = () => Promise<void> | undefined;

/** What is awaited before each file. */
function turns(): Pace {
  let files = 0;
  return () => {
    files += 1;
    return files % filesPerTurn === 0 ? nextTurn() : undefined;
  };
}

/** Without what says nothing: `a//b/` is `a/b`. */
function cleanPath(path: string): string {
  const clean = normalize(path).replace(/\/$/, '');
  const isOutside = isAbsolute(path) || clean.startsWith('..') || path.split('/').includes('..');
  if (path === '' || clean === '.' || isOutside)
    throw new Error(`invalid path "${path}": must be relative, without ".."`);
  if (Buffer.byteLength(clean) > pathBytesMax)
    throw new Error(`invalid path: must be less than or equal to ${pathBytesMax} characters`);
  if (clean.split('/').some((name) => Buffer.byteLength(name) > nameBytesMax))
    throw new Error(`invalid path: filenames must be less than or equal to ${nameBytesMax} characters`);
  return clean;
}

/** Name of the folder that is shown now; undefined where there is none, or the link is not one of ours. */
function dataFolderOf(root: OpenFolder): string | undefined {
  try {
    const name = readlinkSync(root.entry(dataLink));
    return name.startsWith('..') && basename(name) === name && name !== '..' ? name : undefined;
  } catch (error) {
    if (hasCode(error, 'ENOENT', 'EINVAL')) return undefined;
    throw error;
  }
}

function giveOwnFolder(root: OpenFolder, gid: number): void {
  const mode = root.stat('.')?.mode ?? 0;
  lchownSync(root.itself, -1, gid);
  chmodSync(root.itself, (mode & 0o7777) | ownFolderBits);
}

async function writePayload(
  root: OpenFolder,
  { name, payload, gid, pace }: { name: string; payload: Payload; gid: number | undefined; pace: Pace },
): Promise<void> {
  const owned = gid === undefined ? {} : { mode: folderMode | setGroupId, owner: { uid: 0, gid } };
  const made = { mode: folderMode, links: 'refused', ...owned } as const;
  using folder = root.makeFolders(name, made);
  for (const [path, file] of payload) {
    await pace();
    using parent = folder.makeFolders(dirname(path), made);
    writeFile(parent, basename(path), file);
  }
}

function writeFile(parent: OpenFolder, name: string, { bytes, mode, uid, gid }: PayloadFile): void {
  const descriptor = parent.open(name, { flags: createFlags, mode: 0o600, links: 'refused' });
  try {
    writeFileSync(descriptor, bytes);
    if (uid !== undefined || gid !== undefined) fchownSync(descriptor, uid ?? 0, gid ?? 0);
    fchmodSync(descriptor, mode);
  } finally {
    closeSync(descriptor);
  }
}

async function linkNames(root: OpenFolder, payload: Payload, pace: Pace): Promise<void> {
  const wanted = new Set([...payload.keys()].map((path) => path.split('/')[0] ?? path));
  const present = new Set(root.names().filter((name) => !name.startsWith('..')));
  for (const name of wanted) {
    await pace();
    if (!present.has(name)) symlinkSync(join(dataLink, name), root.entry(name));
    const uid = payload.get(name)?.uid;
    if (uid !== undefined) lchownSync(root.entry(name), uid, -1);
  }
  for (const name of present.difference(wanted)) {
    await pace();
    if (root.stat(name)?.isSymbolicLink()) root.remove(name);
  }
}

async function holds(root: OpenFolder, name: string, payload: Payload, pace: Pace): Promise<boolean> {
  try {
    using folder = root.folder(name, { links: 'refused' });
    if ((await countFiles(folder, pace)) !== payload.size) return false;
    for (const [path, file] of payload) {
      await pace();
      if (!sameFile(folder, path, file)) return false;
    }
    return true;
  } catch (error) {
    if (hasCode(error, 'ENOENT', 'ENOTDIR', 'ELOOP')) return false;
    throw error;
  }
}

async function countFiles(folder: OpenFolder, pace: Pace): Promise<number> {
  let count = 0;
  for (const name of folder.names()) {
    await pace();
    if (!folder.stat(name)?.isDirectory()) count += 1;
    else {
      using below = folder.folder(name, { links: 'refused' });
      count += await countFiles(below, pace);
    }
  }
  return count;
}

function sameFile(folder: OpenFolder, path: string, { bytes, mode }: PayloadFile): boolean {
  const descriptor = folder.open(path, { links: 'refused', flags: constants.O_NONBLOCK });
  try {
    const stats = fstatSync(descriptor);
    return stats.isFile() && (stats.mode & 0o7777) === mode && readFileSync(descriptor).equals(bytes);
  } finally {
    closeSync(descriptor);
  }
}

function timestamp(nowMs: number): string {
  return new Date(nowMs).toISOString().replace(/[-:]/g, '_').replace('T', '_').slice(0, 19);
}

import {
  chmodSync,
  closeSync,
  constants,
  fstatSync,
  lchownSync,
  linkSync,
  lstatSync,
  openSync,
  readlinkSync,
  type Stats,
} from 'node:fs';
import { deviceNumbers, getXattr, listXattrs } from '../filesystem/file-attributes.ts';
import { copyContent, finishEntry, makeEntry, type NewEntry } from './new-entry.ts';
import { OpenFolder } from './open-folder.ts';
import type { EntryPath } from './open-in-root.ts';

const folderOnly = constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW;
const fileOnly = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;

/** One copying: first places of files with several names, by inode. */
interface Copying {
  root: OpenFolder;
  firsts: Map<string, { parts: readonly string[]; name: string }>;
}

/**
 * Copies what is in one open folder into another, empty one, with owners, modes, times, attributes and hard links, and
 * gives that the first one's own owner and mode. No link is followed; sockets are left out. Synchronous.
 */
export function copyTree(source: OpenFolder, target: OpenFolder): void {
  copyInto(source, target, [], { root: target, firsts: new Map() });
  const { uid, gid, mode } = fstatSync(source.descriptor);
  lchownSync(target.itself, uid, gid);
  chmodSync(target.itself, mode & 0o7777);
}

function copyInto(source: OpenFolder, target: OpenFolder, parts: readonly string[], copying: Copying): void {
  for (const name of source.names()) {
    const from = source.entry(name);
    const to = target.entry(name);
    const status = lstatSync(from);
    if (status.isSocket()) continue;
    if (status.isDirectory()) copyFolder(from, to, [...parts, name], copying);
    else if (!linkToFirst(to, { parts, name }, status, copying)) copyOther(from, to, status);
    finishEntry(target, name, {
      uid: status.uid,
      gid: status.gid,
      mode: status.isSymbolicLink() ? undefined : status.mode & 0o7777,
      attributes: attributesOf(from),
      accessedSeconds: status.atimeMs / 1000,
      modifiedSeconds: status.mtimeMs / 1000,
    });
  }
}

function copyFolder(from: EntryPath, to: EntryPath, parts: readonly string[], copying: Copying): void {
  makeEntry(to, { type: 'directory' });
  using source = new OpenFolder(openSync(from, folderOnly));
  using target = new OpenFolder(openSync(to, folderOnly));
  copyInto(source, target, parts, copying);
}

/** A file that was copied under another name becomes a link to that; false for the first name. */
function linkToFirst(
  to: EntryPath,
  place: { parts: readonly string[]; name: string },
  { nlink, dev, ino }: Stats,
  { root, firsts }: Copying,
): boolean {
  if (nlink < 2) return false;
  const first = firsts.get(`${dev}:${ino}`);
  if (!first) {
    firsts.set(`${dev}:${ino}`, place);
    return false;
  }
  using folder = root.folder(first.parts.join('/') || '.', { links: 'refused' });
  linkSync(folder.entry(first.name), to);
  return true;
}

function copyOther(from: EntryPath, to: EntryPath, status: Stats): void {
  if (status.isFile()) copyFile(from, to);
  else makeEntry(to, likenessOf(from, status));
}

function likenessOf(from: EntryPath, status: Stats): NewEntry {
  if (status.isSymbolicLink()) return { type: 'symlink', linkTarget: readlinkSync(from) };
  const type = status.isFIFO() ? 'fifo' : status.isBlockDevice() ? 'block' : 'character';
  return { type, ...deviceNumbers(status.rdev) };
}

function copyFile(from: EntryPath, to: EntryPath): void {
  const source = openSync(from, fileOnly);
  try {
    const target = openSync(to, 'wx', 0o600);
    try {
      copyContent(source, target);
    } finally {
      closeSync(target);
    }
  } finally {
    closeSync(source);
  }
}

/** overlayfs's own marks stay behind. */
function* attributesOf(from: EntryPath): Generator<[string, Uint8Array]> {
  for (const name of listXattrs(from)) {
    const value = name.startsWith('trusted.overlay.') ? null : getXattr(from, name);
    if (value) yield [name, value];
  }
}

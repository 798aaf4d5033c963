import {
  chmodSync,
  closeSync,
  constants,
  fstatSync,
  lchownSync,
  linkSync,
  lstatSync,
  lutimesSync,
  mkdirSync,
  openSync,
  readlinkSync,
  readSync,
  type Stats,
  symlinkSync,
  writeSync,
} from 'node:fs';
import { type EntryPath, getXattr, hasCode, listXattrs, makeNode, OpenFolder, setXattr } from '@wherry/linux';
import { RuntimeError } from '../errors.ts';

const copyBytes = 1024 * 1024;
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
    copyAttributes({ from, to, status });
    if (!status.isSymbolicLink()) target.setMode(name, status.mode & 0o7777);
    lutimesSync(to, status.atimeMs / 1000, status.mtimeMs / 1000);
  }
}

function copyFolder(from: EntryPath, to: EntryPath, parts: readonly string[], copying: Copying): void {
  mkdirSync(to, { mode: 0o700 });
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
  if (status.isSymbolicLink()) {
    symlinkSync(readlinkSync(from), to);
    return;
  }
  if (status.isFile()) {
    copyFile(from, to);
    return;
  }
  const type = status.isFIFO() ? 'fifo' : status.isBlockDevice() ? 'block' : 'character';
  const { major, minor } = deviceNumbers(status.rdev);
  makeNode(to, { type, mode: 0o600, major, minor });
}

function copyFile(from: EntryPath, to: EntryPath): void {
  const source = openSync(from, fileOnly);
  try {
    const target = openSync(to, 'wx', 0o600);
    try {
      const buffer = Buffer.alloc(copyBytes);
      for (let read = readSync(source, buffer); read > 0; read = readSync(source, buffer)) {
        for (let at = 0; at < read; ) at += writeSync(target, buffer, at, read - at);
      }
    } finally {
      closeSync(target);
    }
  } finally {
    closeSync(source);
  }
}

/** Owner first: chown drops capabilities. overlayfs's own marks stay behind. */
function copyAttributes({ from, to, status }: { from: EntryPath; to: EntryPath; status: Stats }): void {
  lchownSync(to, status.uid, status.gid);
  for (const name of listXattrs(from)) {
    if (name.startsWith('trusted.overlay.')) continue;
    const value = getXattr(from, name);
    try {
      if (value) setXattr(to, name, value);
    } catch (error) {
      if (!hasCode(error, 'ENOTSUP', 'EPERM')) throw error;
    }
  }
}

/** Major and minor number of a device, as glibc lays out dev_t (sys/sysmacros.h). */
export function deviceNumbers(device: number): { major: number; minor: number } {
  const wide = BigInt(device);
  return {
    major: Number(((wide >> 8n) & 0xfffn) | ((wide >> 32n) & ~0xfffn)),
    minor: Number((wide & 0xffn) | ((wide >> 12n) & ~0xffn)),
  };
}

/**
 * Copies the folder at `path` below `root` into the empty folder `target`, links on the way to it read as a process
 * chrooted there would (so that an image's volume never leads out of it, CVE-2022-23648). A folder that is not there
 * leaves it empty. Throws `RuntimeError` INVALID_ARGUMENT for what is no folder.
 */
export function copyFolderOfRoot(root: string, path: string, target: string): void {
  using rootFolder = OpenFolder.at(root);
  using to = OpenFolder.at(target);
  try {
    using from = rootFolder.folder(path, { flags: constants.O_RDONLY | constants.O_DIRECTORY });
    copyTree(from, to);
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return;
    if (!hasCode(error, 'ENOTDIR', 'ELOOP')) throw error;
    throw new RuntimeError('INVALID_ARGUMENT', `the image's volume "${path}" is no directory in it`);
  }
}

/** What is told of files, and changed of them besides their bytes. */
import { constants } from 'node:fs';
import { descriptorOf, existing, text } from './lookup.ts';
import { File, type FileNode, Folder, Link } from './nodes.ts';
import { currentParticipant } from './participant.ts';
import { Fifo } from './pipe.ts';

export function kindOf(node: FileNode) {
  return {
    isFile: () => node instanceof File,
    isDirectory: () => node instanceof Folder,
    isSymbolicLink: () => node instanceof Link,
    isFIFO: () => node instanceof Fifo,
    isSocket: () => false,
    isBlockDevice: () => false,
    isCharacterDevice: () => false,
  };
}

export function statsOf(node: FileNode) {
  const { ino, uid, gid, changedMs } = node;
  const size = node instanceof File ? node.content().byteLength : 0;
  const times = { mtimeMs: changedMs, ctimeMs: changedMs, atimeMs: changedMs, mtime: new Date(changedMs) };
  return { ino, dev: 1, nlink: 1, uid, gid, size, mode: typeOf(node) | node.mode, ...times, ...kindOf(node) };
}

function typeOf(node: FileNode): number {
  if (node instanceof Folder) return constants.S_IFDIR;
  if (node instanceof Link) return constants.S_IFLNK;
  return node instanceof Fifo ? constants.S_IFIFO : constants.S_IFREG;
}

export function fstatSync(descriptor: number, options?: { bigint?: boolean }) {
  const stats = statsOf(descriptorOf(descriptor, 'fstat').node);
  return options?.bigint ? { ...stats, ino: BigInt(stats.ino), size: BigInt(stats.size) } : stats;
}

export function statSync(path: string, options?: { throwIfNoEntry?: boolean }) {
  return statOf(text(path), 'stat', true, options);
}

export function lstatSync(path: string, options?: { throwIfNoEntry?: boolean }) {
  return statOf(text(path), 'lstat', false, options);
}

function statOf(path: string, call: string, followsLast: boolean, options?: { throwIfNoEntry?: boolean }) {
  try {
    return statsOf(existing(path, { call, followsLast }).node);
  } catch (error) {
    if (options?.throwIfNoEntry === false && (error as NodeJS.ErrnoException).code === 'ENOENT')
      return undefined;
    throw error;
  }
}

export function chmodSync(path: string, mode: number): void {
  existing(text(path), { call: 'chmod' }).node.mode = mode & 0o7777;
}

export function fchmodSync(descriptor: number, mode: number): void {
  descriptorOf(descriptor, 'fchmod').node.mode = mode & 0o7777;
}

export function fchownSync(descriptor: number, uid: number, gid: number): void {
  Object.assign(descriptorOf(descriptor, 'fchown').node, { uid, gid });
}

export function chownSync(path: string, uid: number, gid: number): void {
  Object.assign(existing(text(path), { call: 'chown' }).node, { uid, gid });
}

export function lchownSync(path: string, uid: number, gid: number): void {
  Object.assign(existing(text(path), { call: 'lchown', followsLast: false }).node, { uid, gid });
}

export function accessSync(path: string): void {
  existing(text(path), { call: 'access' });
}

export const existsSync = (path: string): boolean => statSync(path, { throwIfNoEntry: false }) !== undefined;

/** What stands for a namespace where one is mounted. */
export const namespaceFile = '/proc/self/status';
/** NSFS_MAGIC (linux/magic.h). */
const namespaceFileSystem = 0x6e736673;

/** The size of a disk that is never short of anything, and whether a namespace is mounted at the path. */
export const statfsSync = (path: string) => {
  const place = existing(text(path), { call: 'statfs' });
  const mount = currentParticipant().machine.tree.mounts.findLast((each) => each.path === place.path);
  return {
    type: mount?.source === namespaceFile ? namespaceFileSystem : 0,
    bsize: 4096,
    blocks: 2 ** 25,
    bfree: 2 ** 24,
    bavail: 2 ** 24,
    files: 2 ** 22,
    ffree: 2 ** 21,
  };
};

/** Names in folders: made, listed, moved and removed. */
import { kindOf } from './attributes.ts';
import { failure } from './failure.ts';
import { changing, descriptorOf, existing, find, nowMs, text } from './lookup.ts';
import { File, type FileNode, Folder, Link } from './nodes.ts';
import { currentParticipant } from './participant.ts';
import { type Place, topOf } from './tree.ts';

export function mkdirSync(path: string, options?: number | { recursive?: boolean; mode?: number }): void {
  const { recursive = false, mode = 0o777 } =
    typeof options === 'number' ? { mode: options } : (options ?? {});
  let place: Place;
  try {
    place = find(text(path), { call: 'mkdir', followsLast: recursive });
  } catch (error) {
    if (!recursive || (error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    mkdirSync(text(path).replace(/\/[^/]+\/*$/, ''), { recursive, mode });
    place = find(text(path), { call: 'mkdir' });
  }
  if (place.node) {
    if (recursive && place.node instanceof Folder) return;
    throw failure('EEXIST', 'mkdir', text(path));
  }
  changing('mkdir', place.path).machine.tree.newFolder(place.parent, place.name, mode & ~0o022 & 0o7777);
}

export function readdirSync(path: string, options?: unknown): unknown[] {
  const { node } = existing(text(path), { call: 'scandir' });
  if (!(node instanceof Folder)) throw failure('ENOTDIR', 'scandir', text(path));
  const { encoding, withFileTypes } = (options ?? {}) as { encoding?: string; withFileTypes?: boolean };
  const names = [...node.entries.keys()].sort();
  if (encoding === 'buffer') return names.map((name) => Buffer.from(name));
  if (!withFileTypes) return names;
  return names.map((name) => ({
    name,
    parentPath: text(path),
    ...kindOf(topOf(node.entries.get(name) as FileNode)),
  }));
}

export function unlinkSync(path: string): void {
  const place = existing(text(path), { call: 'unlink', followsLast: false });
  if (place.node instanceof Folder) throw failure('EISDIR', 'unlink', text(path));
  removeEntry(place, 'unlink');
}

export function rmdirSync(path: string): void {
  const place = existing(text(path), { call: 'rmdir', followsLast: false });
  removeFolderEntry(place);
}

export function removeFolderEntry(place: Place): void {
  const { node, path } = place;
  if (!(node instanceof Folder)) throw failure('ENOTDIR', 'rmdir', path);
  const isEmpty = [...node.entries.values()].every((entry) => entry instanceof File && entry.kernel);
  if (!isEmpty) throw failure('ENOTEMPTY', 'rmdir', path);
  if (currentParticipant().machine.groups.isBusy(node)) throw failure('EBUSY', 'rmdir', path);
  removeEntry(place, 'rmdir');
}

export function removeEntry({ parent, name, path }: Place, call: string): void {
  const node = parent.entries.get(name);
  if (node?.mounts.length) throw failure('EBUSY', call, path);
  if (node instanceof File && node.kernel) throw failure('EPERM', call, path);
  changing(call, path);
  parent.entries.delete(name);
}

export function renameSync(from: string, to: string): void {
  const source = existing(text(from), { call: 'rename', followsLast: false });
  const target = find(text(to), { call: 'rename', followsLast: false });
  moveEntry(source, target);
}

export function moveEntry(source: Place, target: Place): void {
  const node = source.parent.entries.get(source.name);
  if (!node) throw failure('ENOENT', 'rename', source.path);
  if (target.node instanceof Folder && target.node.entries.size > 0)
    throw failure('ENOTEMPTY', 'rename', target.path);
  changing('rename', target.path);
  source.parent.entries.delete(source.name);
  target.parent.entries.set(target.name, node);
}

export function symlinkSync(target: string, path: string): void {
  const place = find(text(path), { call: 'symlink', followsLast: false });
  if (place.node) throw failure('EEXIST', 'symlink', text(path));
  changing('symlink', place.path);
  place.parent.entries.set(place.name, new Link(text(target), nowMs()));
}

export function readlinkSync(path: string): string {
  const [, number] = /^\/proc\/self\/fd\/(\d+)$/.exec(text(path)) ?? [];
  if (number !== undefined) return descriptorOf(Number(number), 'readlink').path;
  const { node } = existing(text(path), { call: 'readlink', followsLast: false });
  if (!(node instanceof Link)) throw failure('EINVAL', 'readlink', text(path));
  return node.target;
}

export function realpathSync(path: string): string {
  return existing(text(path), { call: 'realpath' }).path || '/';
}

export function rmSync(path: string, options: { recursive?: boolean; force?: boolean } = {}): void {
  if (options.force && !isThere(text(path))) return;
  const place = existing(text(path), { call: 'rm', followsLast: false });
  if (!(place.node instanceof Folder)) {
    removeEntry(place, 'rm');
    return;
  }
  if (!options.recursive) throw failure('EISDIR', 'rm', text(path));
  for (const name of [...place.node.entries.keys()]) rmSync(`${text(path)}/${name}`, options);
  removeFolderEntry(place);
}

function isThere(path: string): boolean {
  try {
    return find(path, { call: 'lstat', followsLast: false }).node !== undefined;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    return false;
  }
}

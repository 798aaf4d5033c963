/** Files that are opened, read and written. */
import { constants } from 'node:fs';
import { failure } from './failure.ts';
import { changing, descriptorOf, existing, find, nowMs, text } from './lookup.ts';
import { File, Folder, Link } from './nodes.ts';
import { currentParticipant } from './participant.ts';
import type { Place } from './tree.ts';

type Content = string | Uint8Array;
const flagNames: Record<string, number> = {
  r: constants.O_RDONLY,
  'r+': constants.O_RDWR,
  w: constants.O_WRONLY | constants.O_CREAT | constants.O_TRUNC,
  wx: constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL,
  a: constants.O_WRONLY | constants.O_CREAT | constants.O_APPEND,
};

export function openPlace(place: Place, { flags, mode, call, path }: OpenRequest): number {
  let { node } = place;
  if (node && flags & constants.O_CREAT && flags & constants.O_EXCL) throw failure('EEXIST', call, path);
  if (!node) {
    if (!(flags & constants.O_CREAT)) throw failure('ENOENT', call, path);
    changing(call, place.path);
    node = new File(mode & 0o7777, nowMs());
    place.parent.entries.set(place.name, node);
  }
  if (flags & constants.O_DIRECTORY && !(node instanceof Folder)) throw failure('ENOTDIR', call, path);
  const isPathOnly = (flags & 0o10000000) !== 0;
  if (node instanceof Link && !isPathOnly) throw failure('ELOOP', call, path);
  if (node instanceof Folder && flags & (constants.O_WRONLY | constants.O_RDWR))
    throw failure('EISDIR', call, path);
  if (node instanceof File && flags & constants.O_TRUNC) {
    changing(call, place.path);
    node.bytes = Buffer.alloc(0);
  }
  return currentParticipant().open({ node, path: place.path, flags, position: 0 });
}

interface OpenRequest {
  flags: number;
  mode: number;
  call: string;
  path: string;
}

export function openSync(path: string, flags: number | string = 'r', mode = 0o666): number {
  const bits = typeof flags === 'number' ? flags : (flagNames[flags] ?? 0);
  const followsLast = (bits & constants.O_NOFOLLOW) === 0 && (bits & constants.O_EXCL) === 0;
  const place = find(text(path), { call: 'open', followsLast });
  return openPlace(place, { flags: bits, mode: mode & ~0o022, call: 'open', path: text(path) });
}

export function closeSync(descriptor: number): void {
  descriptorOf(descriptor, 'close');
  currentParticipant().descriptors.delete(descriptor);
}

export function readSync(
  descriptor: number,
  buffer: Uint8Array,
  offset = 0,
  length = buffer.byteLength - offset,
  position: number | null = null,
): number {
  const open = descriptorOf(descriptor, 'read');
  if (!(open.node instanceof File)) throw failure('EISDIR', 'read', open.path);
  const from = position ?? open.position;
  const chunk = open.node.content().subarray(from, from + length);
  buffer.set(chunk, offset);
  if (position === null) open.position = from + chunk.byteLength;
  return chunk.byteLength;
}

export function writeSync(descriptor: number, data: Content, position: number | null = null): number {
  const open = descriptorOf(descriptor, 'write');
  const { node } = open;
  if (!(node instanceof File)) throw failure('EBADF', 'write', open.path);
  const bytes = Buffer.from(data as string);
  changing('write', open.path);
  if (node.kernel) node.kernel.write?.(bytes.toString());
  else {
    const at = open.flags & constants.O_APPEND ? node.bytes.byteLength : (position ?? open.position);
    const before = Buffer.concat([node.bytes, Buffer.alloc(Math.max(0, at - node.bytes.byteLength))]);
    node.bytes = Buffer.concat([before.subarray(0, at), bytes, before.subarray(at + bytes.byteLength)]);
    if (position === null) open.position = at + bytes.byteLength;
    node.changedMs = nowMs();
  }
  return bytes.byteLength;
}

export function readFileSync(path: string | number, options?: unknown): Buffer | string {
  const node =
    typeof path === 'number' ? descriptorOf(path, 'read').node : existing(text(path), { call: 'open' }).node;
  if (!(node instanceof File)) throw failure('EISDIR', 'read', text(path));
  const encoding =
    typeof options === 'string' ? options : (options as { encoding?: string } | undefined)?.encoding;
  const bytes = Buffer.from(node.content());
  return encoding ? bytes.toString(encoding as BufferEncoding) : bytes;
}

export function writeFileSync(path: string | number, data: Content, options?: unknown): void {
  if (typeof path === 'number') {
    writeSync(path, data);
    return;
  }
  const { flag = 'w', mode = 0o666 } = (typeof options === 'object' && options ? options : {}) as {
    flag?: string;
    mode?: number;
  };
  const descriptor = openSync(path, flag, mode);
  try {
    writeSync(descriptor, data);
  } finally {
    currentParticipant().descriptors.delete(descriptor);
  }
}

/** Everything is on disk at once here: a process that dies loses none of its writes, as the kernel keeps them. */
export function fsyncSync(descriptor: number): void {
  descriptorOf(descriptor, 'fsync');
}

/** Files that are opened, read and written. */
import { constants } from 'node:fs';
import { OpenFile } from './descriptors.ts';
import { failure } from './failure.ts';
import { changing, descriptorOf, existing, find, nowMs, text } from './lookup.ts';
import { File, Folder, Link } from './nodes.ts';
import { currentParticipant } from './participant.ts';
import { Fifo } from './pipe.ts';
import { EventCounter } from './poll.ts';
import type { Place } from './tree.ts';

type Content = string | Uint8Array;
const flagNames: Record<string, number> = {
  r: constants.O_RDONLY,
  'r+': constants.O_RDWR,
  w: constants.O_WRONLY | constants.O_CREAT | constants.O_TRUNC,
  wx: constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL,
  a: constants.O_WRONLY | constants.O_CREAT | constants.O_APPEND,
  'a+': constants.O_RDWR | constants.O_CREAT | constants.O_APPEND,
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
  const open = new OpenFile({ node, path: place.path, flags: isPathOnly ? constants.O_RDONLY : flags });
  if (node instanceof Fifo && !isPathOnly) expectOtherEnd(node, open);
  return currentParticipant().descriptors.add(open);
}

/** Who opens one end of a named pipe alone is refused, or would wait: nobody here has the time. */
function expectOtherEnd(pipe: Fifo, { canRead, canWrite, flags, path }: OpenFile): void {
  if (canRead ? canWrite || flags & constants.O_NONBLOCK || pipe.hasWriters : pipe.hasReaders) return;
  if (flags & constants.O_NONBLOCK) throw failure('ENXIO', 'open', path);
  throw new Error(`open of the pipe "${path}" would wait for ever`);
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
  currentParticipant().descriptors.close(descriptor);
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

export function writeSync(
  descriptor: number,
  data: Content,
  offset: number | null = null,
  length?: number,
  at?: number | null,
): number {
  const isText = typeof data === 'string';
  const all = isText ? Buffer.from(data) : Buffer.from(data.buffer, data.byteOffset, data.byteLength);
  const from = isText ? 0 : (offset ?? 0);
  const bytes = Buffer.from(all.subarray(from, length === undefined ? undefined : from + length));
  return writeBytes(descriptor, bytes, isText ? offset : (at ?? null));
}

function writeBytes(descriptor: number, bytes: Buffer, position: number | null): number {
  const open = descriptorOf(descriptor, 'write');
  const { node } = open;
  if (node instanceof EventCounter) {
    node.set();
    return bytes.byteLength;
  }
  changing('write', open.path);
  if (node instanceof Fifo) return node.write(bytes);
  if (!(node instanceof File)) throw failure('EBADF', 'write', open.path);
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
    currentParticipant().descriptors.close(descriptor);
  }
}

type Written = (error: Error | null, bytes?: number) => void;

/** As Node's, whose work is done on another thread: a process that dies meanwhile hears nothing of it. */
export function write(
  descriptor: number,
  data: Uint8Array,
  offset: number,
  length: number,
  position: number | null,
  done: Written,
): void {
  const process = currentParticipant();
  process.machine.clock.after(process.machine.lagMs(), () =>
    process.hear(() => {
      let written: number;
      try {
        written = writeSync(descriptor, data, offset, length, position);
      } catch (error) {
        if (process.isAlive) done(error as Error);
        return;
      }
      done(null, written);
    }),
  );
}

export function ftruncateSync(descriptor: number, bytes = 0): void {
  const { node, path } = descriptorOf(descriptor, 'ftruncate');
  if (!(node instanceof File)) throw failure('EINVAL', 'ftruncate', path);
  changing('ftruncate', path);
  node.bytes = Buffer.concat([
    node.bytes.subarray(0, bytes),
    Buffer.alloc(Math.max(0, bytes - node.bytes.byteLength)),
  ]);
}

/** Everything is on disk at once here: a process that dies loses none of its writes, as the kernel keeps them. */
export function fsyncSync(descriptor: number): void {
  descriptorOf(descriptor, 'fsync');
}

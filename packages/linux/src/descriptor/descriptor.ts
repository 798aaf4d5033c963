import { chmodSync, closeSync } from 'node:fs';
import { constants } from 'node:os';
import { hasCode, SyscallError } from '../errors.ts';
import { check, declare, lastErrno, syscall } from '../native.ts';

const pipe2 = declare('int pipe2(_Out_ int *descriptors, int flags)');
const mkfifo = declare('int mkfifo(const char *path, uint mode)');
const fcntl = declare('int fcntl(int descriptor, int command, long argument)');
const ioctlInt = declare('int ioctl(int descriptor, ulong request, _Out_ int *value)');
const nativeSplice = declare(
  'long splice(int from, void *fromAt, int to, void *toAt, ulong bytes, uint flags)',
);
const nativeTee = declare('long tee(int from, int to, ulong bytes, uint flags)');
const nativeRead = declare('long read(int descriptor, void *buffer, ulong bytes)');
const eventfd = declare('int eventfd(uint initial, int flags)');

const openNonBlocking = 0o4000;
const openCloseOnExec = 0o2000000;
const getFlags = 3;
const setFlags = 4;
const duplicateCommand = 1030;
const setPipeSizeCommand = 1031;
const addSealsCommand = 1033;
/** F_SEAL_SEAL, F_SEAL_SHRINK, F_SEAL_GROW, F_SEAL_WRITE. */
const allSeals = 0xf;
const fionread = 0x541b;
const spliceNonBlocking = 2;
const pidfdGetfdNumber = 438;

/** Both ends of a pipe. */
export interface Pipe {
  readDescriptor: number;
  writeDescriptor: number;
}

/** A real pipe (never a socket pair: a process can open /dev/stdout again only on a pipe). Close-on-exec. */
export function openPipe(options: { nonBlocking?: boolean } = {}): Pipe {
  const ends = new Int32Array(2);
  check('pipe2', pipe2(ends, openCloseOnExec | (options.nonBlocking ? openNonBlocking : 0)));
  return { readDescriptor: ends[0]!, writeDescriptor: ends[1]! };
}

/** A counter that wakes who polls it; non-blocking, close-on-exec. */
export function openEventCounter(): number {
  return check('eventfd', eventfd(0, openNonBlocking | openCloseOnExec));
}

/** A named pipe. Throws EEXIST when the path is taken. */
export function makeFifo(path: string, mode = 0o600): void {
  check('mkfifo', mkfifo(path, mode), `"${path}"`);
  // Whatever this process's mask is.
  chmodSync(path, mode);
}

/** Closes a descriptor; one that is closed already is fine. */
export function closeDescriptor(descriptor: number): void {
  try {
    closeSync(descriptor);
  } catch (error) {
    if (!hasCode(error, 'EBADF')) throw error;
  }
}

/** Switches O_NONBLOCK, which all holders of the open file share. */
export function setNonBlocking(descriptor: number, nonBlocking: boolean): void {
  const flags = check('fcntl', fcntl(descriptor, getFlags, 0));
  const wanted = nonBlocking ? flags | openNonBlocking : flags & ~openNonBlocking;
  if (wanted !== flags) check('fcntl', fcntl(descriptor, setFlags, wanted));
}

/** Asks for a pipe capacity in bytes; gives back what the kernel granted, or null when it refused (user's limit). */
export function setPipeCapacity(descriptor: number, bytes: number): number | null {
  const granted = fcntl(descriptor, setPipeSizeCommand, bytes);
  return granted < 0 ? null : granted;
}

/** Bytes that wait in a pipe, socket or terminal. */
export function readableBytes(descriptor: number): number {
  const value = new Int32Array(1);
  check('ioctl FIONREAD', ioctlInt(descriptor, fionread, value));
  return value[0]!;
}

/** Nobody can change a file in memory any more, nor take this back (fcntl(2), File Sealing). */
export function sealFile(descriptor: number): void {
  check('fcntl F_ADD_SEALS', fcntl(descriptor, addSealsCommand, allSeals));
}

/** By which this process's children, too, open one of its descriptors anew, or run the file behind it. */
export const pathForChildren = (descriptor: number): string => `/proc/${process.pid}/fd/${descriptor}`;

/** Copies a descriptor to the first free number from `lowest` on; close-on-exec. */
export function duplicateAbove(descriptor: number, lowest: number): number {
  return check('fcntl F_DUPFD_CLOEXEC', fcntl(descriptor, duplicateCommand, lowest));
}

/** What a non-blocking transfer did: bytes moved, 0 for end of file, null for "nothing now". */
export type Transferred = number | null;

function transferred(name: string, result: number): Transferred {
  if (result >= 0) return result;
  const errno = lastErrno();
  if (errno === constants.errno.EAGAIN || errno === constants.errno.EINTR) return null;
  throw new SyscallError(name, errno);
}

/** Moves bytes from pipe to pipe (or file) inside the kernel, without blocking. */
export function splice(from: number, to: number, bytes: number): Transferred {
  return transferred('splice', nativeSplice(from, null, to, null, bytes, spliceNonBlocking));
}

/** Copies bytes from pipe to pipe and leaves them in the first. */
export function tee(from: number, to: number, bytes: number): Transferred {
  return transferred('tee', nativeTee(from, to, bytes, spliceNonBlocking));
}

/** What is in a pipe, up to `bytes`, without taking it out. Null at its end: it is empty, and nobody can write to it. */
export function peekPipe(descriptor: number, bytes: number): Buffer | null {
  const { readDescriptor, writeDescriptor } = openPipe({ nonBlocking: true });
  try {
    const copied = tee(descriptor, writeDescriptor, bytes);
    if (copied === 0) return null;
    const buffer = Buffer.alloc(copied ?? 0);
    if (copied) readNow(readDescriptor, buffer);
    return buffer;
  } finally {
    closeDescriptor(readDescriptor);
    closeDescriptor(writeDescriptor);
  }
}

/** Reads a non-blocking descriptor now, on this thread. */
export function readNow(descriptor: number, buffer: Uint8Array): Transferred {
  return transferred('read', nativeRead(descriptor, buffer, buffer.byteLength));
}

/**
 * Copies a descriptor out of another process (pidfd_getfd(2), kernel 5.6; needs ptrace rights over it).
 * The copy shares the open file and is close-on-exec.
 */
export function copyDescriptorOf(pidDescriptor: number, descriptor: number): number {
  return syscall('pidfd_getfd', pidfdGetfdNumber, pidDescriptor, descriptor, 0);
}

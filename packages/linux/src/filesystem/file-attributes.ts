import { constants } from 'node:os';
import { SyscallError } from '../errors.ts';
import { check, declare, lastErrno } from '../native.ts';

const nativeSetXattr = declare(
  'int lsetxattr(const char *path, const char *name, const void *value, ulong bytes, int flags)',
);
const nativeGetXattr = declare(
  'long lgetxattr(const char *path, const char *name, _Out_ void *value, ulong bytes)',
);
const nativeListXattr = declare('long llistxattr(const char *path, _Out_ void *names, ulong bytes)');
const nativeMknod = declare('int mknod(const char *path, uint mode, ulong device)');
const nativeUtimensat = declare('int utimensat(int folder, const char *path, const void *times, int flags)');

const secondNs = 1_000_000_000n;
/** The kernel's own bound on an attribute's value (XATTR_SIZE_MAX). */
const xattrBytesMax = 65_536;
const atCurrentFolder = -100;
const noFollow = 0x100;
const typeBits = { character: 0o020000, block: 0o060000, fifo: 0o010000 } as const;

/** Sets an extended attribute on the path itself, not on what a symbolic link points to. */
export function setXattr(path: string, name: string, value: Uint8Array): void {
  check('lsetxattr', nativeSetXattr(path, name, value, value.byteLength, 0), `${name} on "${path}"`);
}

/** Reads an extended attribute of the path itself; null when it has none of that name. */
export function getXattr(path: string, name: string): Uint8Array | null {
  const value = Buffer.alloc(xattrBytesMax);
  const bytes = nativeGetXattr(path, name, value, value.byteLength);
  if (bytes >= 0) return value.subarray(0, bytes);
  const errno = lastErrno();
  if (errno === constants.errno.ENODATA) return null;
  throw new SyscallError('lgetxattr', errno, `${name} of "${path}"`);
}

/** The names of the extended attributes of the path itself. */
export function listXattrs(path: string): string[] {
  const names = Buffer.alloc(xattrBytesMax);
  const bytes = check('llistxattr', nativeListXattr(path, names, names.byteLength), `"${path}"`);
  return names
    .toString('utf8', 0, bytes)
    .split('\0')
    .filter((name) => name !== '');
}

/** A device or FIFO file. */
export interface NodeRequest {
  type: keyof typeof typeBits;
  /** Permission bits; the umask applies. */
  mode: number;
  major?: number;
  minor?: number;
}

/** Makes a device or FIFO file. `{ type: 'character', mode: 0 }` is an overlayfs whiteout. */
export function makeNode(path: string, { type, mode, major = 0, minor = 0 }: NodeRequest): void {
  check('mknod', nativeMknod(path, typeBits[type] | mode, deviceNumber(major, minor)), `"${path}"`);
}

/** The C library's dev_t of a device. */
export function deviceNumber(major: number, minor: number): bigint {
  const [high, low] = [BigInt(major), BigInt(minor)];
  return (low & 0xffn) | ((high & 0xfffn) << 8n) | ((low & ~0xffn) << 12n) | ((high & ~0xfffn) << 32n);
}

/** Major and minor number of a device, as glibc lays out dev_t (sys/sysmacros.h). */
export function deviceNumbers(device: number): { major: number; minor: number } {
  const wide = BigInt(device);
  return {
    major: Number(((wide >> 8n) & 0xfffn) | ((wide >> 32n) & ~0xfffn)),
    minor: Number((wide & 0xffn) | ((wide >> 12n) & ~0xffn)),
  };
}

/** Sets access and modification time in nanoseconds since the epoch, on the path itself. */
export function setTimes(path: string, times: { accessedNs: bigint; modifiedNs: bigint }): void {
  const specs = Buffer.alloc(32);
  for (const [index, ns] of [times.accessedNs, times.modifiedNs].entries()) {
    const fraction = ((ns % secondNs) + secondNs) % secondNs;
    specs.writeBigInt64LE((ns - fraction) / secondNs, index * 16);
    specs.writeBigInt64LE(fraction, index * 16 + 8);
  }
  check('utimensat', nativeUtimensat(atCurrentFolder, path, specs, noFollow), `"${path}"`);
}

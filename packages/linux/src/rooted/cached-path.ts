import { closeSync, readlinkSync } from 'node:fs';
import { hasCode } from '../errors.ts';
import { check, declare } from '../native.ts';
import { descriptorPath, pathOnlyFlag } from './open-in-root.ts';

const nativeOpenat2 = declare(
  'long syscall(long number, int folder, const char *path, const void *how, ulong howBytes)',
);
const openat2Number = 437;
const closeOnExec = 0o2000000n;
const resolveCached = 0x20n;
const atCurrentFolder = -100;

/**
 * The real path of an absolute path, when the kernel knows every part of it without asking a disk or a server
 * (RESOLVE_CACHED, kernel 5.12): never waits. Undefined when it does not, or when nothing is there.
 */
export function cachedRealPath(path: string): string | undefined {
  const how = new BigUint64Array([BigInt(pathOnlyFlag) | closeOnExec, 0n, resolveCached]);
  try {
    const descriptor = check(
      'openat2',
      nativeOpenat2(openat2Number, atCurrentFolder, path, how, how.byteLength),
      `"${path}"`,
    );
    try {
      return readlinkSync(descriptorPath(descriptor));
    } finally {
      closeSync(descriptor);
    }
  } catch (error) {
    if (hasCode(error, 'EAGAIN', 'EINVAL', 'ENOENT', 'ENOTDIR', 'ELOOP', 'EACCES')) return undefined;
    throw error;
  }
}

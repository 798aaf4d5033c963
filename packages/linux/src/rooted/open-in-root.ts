import { constants } from 'node:fs';
import { constants as system } from 'node:os';
import { SyscallError } from '../errors.ts';
import { check, declare, lastErrno } from '../native.ts';

const nativeOpenat2 = declare(
  'long syscall(long number, int folder, const void *path, const void *how, ulong howBytes)',
);

const openat2Number = 437;
const closeOnExec = 0o2000000;
const [noOtherMounts, noMagicLinks, noSymlinks, beneath, inRoot] = [0x01, 0x02, 0x04, 0x08, 0x10];
/** A rename elsewhere can make the kernel lose its way at ".." (EAGAIN, openat2(2)); it is asked again this often. */
const attemptsMax = 100;

/**
 * What becomes of symbolic links on the way and at the end:
 * - `inside` (default): read as a process chrooted into the root would; "/" is the root, ".." stops there.
 * - `beneath`: followed, but one that is absolute or climbs above the root is refused with EXDEV.
 * - `refused`: any link is refused with ELOOP; ".." above the root with EXDEV.
 *
 * The links of /proc that jump (`/proc/PID/fd/3`, `/proc/PID/root`) are refused in each mode with ELOOP.
 */
export type LinkRule = 'inside' | 'beneath' | 'refused';

const resolveBits: Record<LinkRule, number> = {
  inside: inRoot | noMagicLinks,
  beneath: beneath | noMagicLinks,
  refused: beneath | noSymlinks | noMagicLinks,
};

/** How a path below a root is opened. */
export interface OpenInRootOptions {
  /** Flags of open(2), default O_RDONLY; close-on-exec is added. */
  flags?: number;
  /** Permission bits of a file made by O_CREAT (the umask applies). */
  mode?: number;
  /** Default `inside`. */
  links?: LinkRule;
  /** Refuse, with EXDEV, to pass into what is mounted below the root. */
  sameMount?: boolean;
}

/** O_PATH of open(2), which Node does not name: a descriptor that names a file without opening it. */
export const pathOnlyFlag = 0o10000000;

/** Flags that name a folder without reading it: enough for everything relative to it. */
export const folderFlags = pathOnlyFlag | constants.O_DIRECTORY;

declare const entryPath: unique symbol;

/**
 * A path that begins at a descriptor and goes at most one name further: no link on its way can be swapped. Only this
 * package makes them; `npm run check` asks for them in files that work in folders which others fill.
 */
export type EntryPath = string & { readonly [entryPath]: true };

/** The path that leads to an open file, whatever became of its name: for mounts and for calls that take only paths. */
export const descriptorPath = (descriptor: number): EntryPath => `/proc/self/fd/${descriptor}` as EntryPath;

/**
 * Opens `path` below the open folder `root`, resolved by the kernel in one go (openat2(2), kernel 5.6), so that no
 * link swapped meanwhile leads out. Bytes are taken for names that are no UTF-8. Close the descriptor that comes back.
 * Throws `SyscallError`: ENOENT, EXDEV and ELOOP as {@link LinkRule} says, EINVAL for a NUL in the path.
 */
export function openInRoot(
  root: number,
  path: string | Uint8Array,
  { flags = 0, mode = 0, links = 'inside', sameMount = false }: OpenInRootOptions = {},
): number {
  const how = new BigUint64Array([
    BigInt(flags | closeOnExec),
    BigInt(mode),
    BigInt(resolveBits[links] | (sameMount ? noOtherMounts : 0)),
  ]);
  const bytes = zeroEnded(path);
  for (let attempt = 1; ; attempt++) {
    const result = nativeOpenat2(openat2Number, root, bytes, how, how.byteLength);
    if (result < 0 && lastErrno() === system.errno.EAGAIN && attempt < attemptsMax) continue;
    return check('openat2', result, `"${textOf(path)}" in its root`);
  }
}

/** A path as C has it. */
function zeroEnded(path: string | Uint8Array): Buffer {
  const bytes = Buffer.from(typeof path === 'string' ? `${path}\0` : [...path, 0]);
  if (bytes.indexOf(0) === bytes.length - 1) return bytes;
  throw new SyscallError('openat2', system.errno.EINVAL, `"${textOf(path)}", which has a NUL,`);
}

const textOf = (path: string | Uint8Array) =>
  typeof path === 'string' ? path : Buffer.from(path).toString();

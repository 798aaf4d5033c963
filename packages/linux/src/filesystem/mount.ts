import { hasCode } from '../errors.ts';
import { check, declare } from '../native.ts';

const nativeMount = declare(
  'int mount(const char *source, const char *target, const char *type, ulong flags, const char *data)',
);
const nativeUnmount = declare('int umount2(const char *target, int flags)');
const pivot = declare('long syscall(long number, const char *newRoot, const char *putOld)');

/** Flags of mount(2), to be combined with `|`. */
export const mountFlags = {
  readOnly: 0x1,
  noSuid: 0x2,
  noDevices: 0x4,
  noExec: 0x8,
  synchronous: 0x10,
  remount: 0x20,
  noAccessTimes: 0x400,
  bind: 0x1000,
  move: 0x2000,
  recursive: 0x4000,
  unbindable: 0x20000,
  private: 0x40000,
  slave: 0x80000,
  shared: 0x100000,
  relativeAccessTimes: 0x200000,
  strictAccessTimes: 0x1000000,
} as const;

const detachFlag = 2;
const noFollowFlag = 8;
const pivotRootNumber = process.arch === 'arm64' ? 41 : 155;

/** What to mount where; `data` holds the file system's own options ("lowerdir=…"). At most one page (4095 bytes). */
export interface MountRequest {
  target: string;
  source?: string;
  type?: string;
  flags?: number;
  data?: string;
}

/** mount(2) on this thread. Throws a SyscallError that names the target. */
export function mount({ target, source = 'none', type, flags = 0, data }: MountRequest): void {
  const result = nativeMount(source, target, type ?? null, flags, data ?? null);
  check('mount', result, `${type ?? 'flags'} "${source}" on "${target}"`);
}

/** Shows `source` at `target` too; with `readOnly` a second mount call makes it so. */
export function bindMount(
  source: string,
  target: string,
  options: { readOnly?: boolean; recursive?: boolean } = {},
): void {
  const flags = mountFlags.bind | (options.recursive ? mountFlags.recursive : 0);
  mount({ source, target, flags });
  if (options.readOnly) mount({ target, flags: flags | mountFlags.remount | mountFlags.readOnly });
}

/**
 * umount2(2), not following a symbolic link at the end. `detach` takes the mount out of sight now and frees it when
 * nobody uses it. False when nothing is mounted there.
 */
export function unmount(target: string, options: { detach?: boolean } = {}): boolean {
  try {
    check('umount2', nativeUnmount(target, noFollowFlag | (options.detach ? detachFlag : 0)), `"${target}"`);
    return true;
  } catch (error) {
    if (hasCode(error, 'EINVAL', 'ENOENT')) return false;
    throw error;
  }
}

/** pivot_root(2) in the current mount namespace. */
export function pivotRoot(newRoot: string, putOld: string): void {
  check('pivot_root', pivot(pivotRootNumber, newRoot, putOld), `"${newRoot}"`);
}

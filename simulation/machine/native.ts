/** The system calls of `@wherry/linux` over the simulated machine, in place of `packages/linux/src/native.ts`. */
import { constants } from 'node:os';
import { SyscallError } from '../../packages/linux/src/errors.ts';
import { mountFlags } from '../../packages/linux/src/filesystem/mount.ts';
import * as attributes from './attributes.ts';
import * as entries from './entries.ts';
import { changing, descriptorOf, find } from './lookup.ts';
import { pipeCalls, waitForEvents } from './native-pipes.ts';
import { numberedCalls, processCalls } from './native-processes.ts';
import { Folder } from './nodes.ts';
import { openPlace } from './open-files.ts';
import { currentParticipant, DeadError } from './participant.ts';
import type { WalkRule } from './tree.ts';

type Call = (...args: never[]) => number;
let errno = 0;

/** The function of that C prototype; it fails when it is called and not simulated. */
export function declare(prototype: string): (...args: unknown[]) => number {
  const name = /(\w+)\(/.exec(prototype)?.[1] ?? '';
  return (...args) => {
    const call: Call | undefined = Object.hasOwn(calls, name) ? calls[name] : undefined;
    if (!call) throw new Error(`the system call "${name}" is not simulated`);
    return attempt(() => call(...(args as never[])));
  };
}

/** -1, and why in `errno`, for what the machine refuses. */
function attempt(work: () => number): number {
  try {
    return work();
  } catch (error) {
    if (error instanceof DeadError) throw error;
    errno = constants.errno[(error as NodeJS.ErrnoException).code as keyof typeof constants.errno] ?? 0;
    if (errno === 0) throw error;
    return -1;
  }
}

/** The same, for what blocks. */
export function declareAsync(prototype: string): (...args: unknown[]) => Promise<{ result: number }> {
  return async (...args) => {
    if (!prototype.includes('epoll_wait(')) throw new Error(`"${prototype}" is not simulated`);
    const [poll, events, count] = args as [number, Buffer, number];
    return { result: await waitForEvents(poll, events, count) };
  };
}

export function check(syscall: string, result: number, detail?: string): number {
  if (result >= 0) return result;
  throw new SyscallError(syscall, errno, detail);
}

export const lastErrno = (): number => errno;
export const defineStruct = (): void => {};

export function syscall(name: string, _number: number, ...args: number[]): number {
  const call = Object.hasOwn(numberedCalls, name) ? numberedCalls[name] : undefined;
  if (!call) throw new Error(`the system call "${name}" is not simulated`);
  return check(
    name,
    attempt(() => call(...args)),
  );
}

const word = (bytes: Buffer | string) => bytes.toString().replace(/\0$/, '');
const openat2Number = 437;
/** AT_FDCWD. */
const currentFolder = -100;
const resolveBits = { noOtherMounts: 0x01, noSymlinks: 0x04, beneath: 0x08, inRoot: 0x10 };

function ruleOf(bits: bigint): WalkRule {
  const has = (bit: number) => (Number(bits) & bit) !== 0;
  if (has(resolveBits.noSymlinks)) return 'refused';
  if (has(resolveBits.inRoot)) return 'inside';
  return has(resolveBits.beneath) ? 'beneath' : 'plain';
}

const calls: Record<string, Call> = {
  ...pipeCalls,
  ...processCalls,
  syscall(number: number, folder: number, path: Buffer, how: BigUint64Array) {
    if (number !== openat2Number) throw new Error(`system call ${number} is not simulated`);
    const [flags = 0n, mode = 0n, resolve = 0n] = how;
    const isNoFollow = (Number(flags) & 0o400000) !== 0;
    const start = folder === currentFolder ? undefined : startAt(folder);
    const place = currentParticipant().machine.tree.walk(word(path), {
      call: 'openat2',
      start,
      rule: ruleOf(resolve),
      followsLast: !isNoFollow,
      sameMount: (Number(resolve) & resolveBits.noOtherMounts) !== 0,
    });
    return openPlace(place, {
      flags: Number(flags),
      mode: Number(mode),
      call: 'openat2',
      path: word(path),
    });
  },
  unlinkat(folder: number, name: Buffer, flags: number) {
    const place = entryOf(folder, name, 'unlinkat');
    if (flags !== 0) entries.removeFolderEntry(place);
    else if (place.node instanceof Folder) return fail('EISDIR');
    else entries.removeEntry(place, 'unlinkat');
    return 0;
  },
  renameat(from: number, name: Buffer, to: number, target: Buffer) {
    entries.moveEntry(
      entryOf(from, name, 'renameat'),
      find(`/proc/self/fd/${to}/${word(target)}`, { call: 'renameat', followsLast: false }),
    );
    return 0;
  },
  fchmod(descriptor: number, mode: number) {
    attributes.fchmodSync(descriptor, mode);
    return 0;
  },
  fchown(descriptor: number, uid: number, gid: number) {
    attributes.fchownSync(descriptor, uid, gid);
    return 0;
  },
  mount(source: string, target: string, type: string | null, flags: number) {
    const place = find(target, { call: 'mount' });
    if (!place.node) return fail('ENOENT');
    const { machine } = changing('mount', place.path);
    if (flags & mountFlags.remount) return 0;
    if (flags & (mountFlags.private | mountFlags.shared | mountFlags.slave))
      return machine.tree.mounts.some(({ path }) => path === place.path) ? 0 : fail('EINVAL');
    const root =
      flags & mountFlags.bind
        ? find(source, { call: 'mount' }).node
        : new Folder(0o755, machine.clock.nowMs());
    if (!root) return fail('ENOENT');
    machine.tree.mount({ path: place.path, root, type: type ?? 'none', source });
    return 0;
  },
  umount2(target: string) {
    const place = find(target, { call: 'umount2', followsLast: false });
    changing('umount2', place.path);
    return currentParticipant().machine.tree.unmount(place) ? 0 : fail('EINVAL');
  },
};

function startAt(folder: number) {
  const { node, path } = descriptorOf(folder, 'openat2');
  return { node, path };
}

function entryOf(folder: number, name: Buffer, call: string) {
  const place = find(`/proc/self/fd/${folder}/${word(name)}`, { call, followsLast: false });
  if (!place.node) throw Object.assign(new Error(call), { code: 'ENOENT' });
  return place;
}

function fail(code: keyof typeof constants.errno): number {
  errno = constants.errno[code];
  return -1;
}

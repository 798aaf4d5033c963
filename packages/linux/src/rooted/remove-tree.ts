import { closeSync, constants, readdirSync } from 'node:fs';
import { constants as system } from 'node:os';
import { SyscallError } from '../errors.ts';
import { limits } from '../limits.ts';
import { check, declare, lastErrno } from '../native.ts';
import { descriptorPath, openInRoot } from './open-in-root.ts';

const nativeUnlinkat = declare('int unlinkat(int folder, const void *path, int flags)');
const nativeRenameat = declare('int renameat(int from, const void *path, int to, const void *target)');
const removeFolderFlag = 0x200;

const zeroEnded = (name: string | Buffer) => Buffer.concat([Buffer.from(name as string), Buffer.alloc(1)]);
const openFolder = (parent: number, name: string | Buffer) =>
  openInRoot(parent, name, { flags: constants.O_DIRECTORY, links: 'refused', sameMount: true });

/** One removal: the open folder at its top, and how many folders that lay too deep were moved up into it. */
interface Removal {
  top: number;
  moved: number;
}

/**
 * Removes what has `name` in the open folder `parent`, with everything below it. Links are removed, never followed, also
 * ones that are put there meanwhile; names may be any bytes, trees may have any depth. Nothing there is fine. Throws
 * `SyscallError`: EXDEV or EBUSY at something mounted inside, which stays as it is; ENOTEMPTY when somebody keeps
 * making files there.
 */
export function removeTree(parent: number, name: string): void {
  const removal = remove(parent, name);
  while (!removal.next().done);
}

/**
 * {@link removeTree}, a bounded number of files at a time: between two turns the event loop goes on, so that a large tree
 * holds nobody up. `parent` must stay open until it is done.
 */
export async function removeTreeInTurns(parent: number, name: string): Promise<void> {
  let count = 0;
  for (const _ of remove(parent, name)) {
    count += 1;
    if (count % limits.removalsPerTurn === 0) await new Promise((resolve) => setImmediate(resolve));
  }
}

/** Yields after each file and folder. */
function* remove(parent: number, name: string): Generator<void> {
  if (unlink(parent, name)) return;
  const removal: Removal = { top: openFolder(parent, name), moved: 0 };
  try {
    for (let fruitless = 0; fruitless < limits.removalAttemptsMax; ) {
      const { moved } = removal;
      yield* empty(removal.top, removal, 1);
      if (removeFolder(parent, name)) return;
      if (removal.moved === moved) fruitless++;
    }
  } finally {
    closeSync(removal.top);
  }
  throw new SyscallError('unlinkat', system.errno.ENOTEMPTY, `"${name}"`);
}

/** Removes what is in a folder, but for what others make meanwhile. */
function* empty(folder: number, removal: Removal, depth: number): Generator<void> {
  for (const name of readdirSync(descriptorPath(folder), { encoding: 'buffer' })) {
    yield;
    if (unlink(folder, name)) continue;
    if (depth >= limits.removalDepthMax) {
      const target = zeroEnded(`.removed-${process.pid}-${++removal.moved}`);
      check('renameat', nativeRenameat(folder, zeroEnded(name), removal.top, target), `"${name}"`);
      continue;
    }
    const child = openFolder(folder, name);
    try {
      yield* empty(child, removal, depth + 1);
    } finally {
      closeSync(child);
    }
    removeFolder(folder, name);
  }
}

/** False for a folder. */
function unlink(folder: number, name: string | Buffer): boolean {
  return allowing('EISDIR', nativeUnlinkat(folder, zeroEnded(name), 0), name);
}

/** False for a folder that is not empty. */
function removeFolder(folder: number, name: string | Buffer): boolean {
  return allowing('ENOTEMPTY', nativeUnlinkat(folder, zeroEnded(name), removeFolderFlag), name);
}

function allowing(code: 'EISDIR' | 'ENOTEMPTY', result: number, name: string | Buffer): boolean {
  const errno = result < 0 ? lastErrno() : 0;
  if (errno === 0 || errno === system.errno.ENOENT) return true;
  if (errno === system.errno[code]) return false;
  throw new SyscallError('unlinkat', errno, `"${name}"`);
}

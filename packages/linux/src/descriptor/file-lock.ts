import { openSync } from 'node:fs';
import { hasCode } from '../errors.ts';
import { check, declare } from '../native.ts';
import { closeDescriptor } from './descriptor.ts';
import { type Poller, pollEvents } from './poller.ts';

const flock = declare('int flock(int descriptor, int operation)');
const inotifyInit = declare('int inotify_init1(int flags)');
const inotifyAddWatch = declare('int inotify_add_watch(int descriptor, const char *path, uint mask)');

/** LOCK_EX | LOCK_NB */
const exclusiveNow = 2 | 4;
/** IN_NONBLOCK | IN_CLOEXEC */
const inotifyFlags = 0o4000 | 0o2000000;
/** IN_OPEN | IN_DELETE_SELF */
const openedOrDeleted = 0x20 | 0x400;

/**
 * Takes the exclusive lock of a file (flock(2)), which is made where it is missing: the descriptor that holds it until it is
 * closed, or undefined while another has it. Throws what the kernel says.
 */
export function tryLockFile(path: string): number | undefined {
  const descriptor = openSync(path, 'a', 0o600);
  try {
    check('flock', flock(descriptor, exclusiveNow), `"${path}"`);
    return descriptor;
  } catch (error) {
    closeDescriptor(descriptor);
    if (hasCode(error, 'EAGAIN')) return undefined;
    throw error;
  }
}

/** Calls back once when somebody opens or deletes the file. Throws ENOENT where there is none. */
export function watchOpening(path: string, poller: Poller, onOpened: () => void): Disposable {
  const descriptor = check('inotify_init1', inotifyInit(inotifyFlags));
  const close = () => closeDescriptor(descriptor);
  try {
    check('inotify_add_watch', inotifyAddWatch(descriptor, path, openedOrDeleted), `"${path}"`);
    const watch = poller.watch(descriptor, pollEvents.readable, onOpened);
    return {
      [Symbol.dispose]: () => {
        watch.stop();
        close();
      },
    };
  } catch (error) {
    close();
    throw error;
  }
}

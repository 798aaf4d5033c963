import { closeSync, linkSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { sleep, systemClock } from '@wherry/clock';
import { identifyProcess, isAlive, type ProcessIdentity } from '@wherry/linux';
import { NodeError } from '../errors.ts';
import { limits } from '../limits.ts';
import type { NodeLayout } from './layout.ts';

/**
 * Keeps two commands from starting or ending the same node at once; a lock whose holder died is taken over.
 * Throws `NodeError` when the holder does not let go within `limits.lockTimeoutMs`.
 */
export async function lockNode(layout: NodeLayout, signal?: AbortSignal): Promise<Disposable> {
  const deadline = systemClock.monotonicMs() + limits.lockTimeoutMs;
  for (;;) {
    if (tryLock(layout.lockFile)) return { [Symbol.dispose]: () => rmSync(layout.lockFile, { force: true }) };
    const holder = readHolder(layout.lockFile);
    if (!holder || !isAlive(holder)) {
      rmSync(layout.lockFile, { force: true });
      continue;
    }
    if (systemClock.monotonicMs() > deadline) {
      throw new NodeError(
        'locked',
        `another wherry command (pid ${holder.pid}) is at work on "${layout.dataDir}"`,
      );
    }
    await sleep({ clock: systemClock, delayMs: limits.readyPollMs, signal });
  }
}

/** Creates the lock with its content in one step: a file linked into place is never seen empty. */
function tryLock(path: string): boolean {
  const draft = `${path}.${process.pid}`;
  closeSync(openSync(draft, 'w', 0o600));
  try {
    writeFileSync(draft, JSON.stringify(identifyProcess(process.pid)));
    linkSync(draft, path);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw new NodeError('not-permitted', `locking the node by "${path}": ${(error as Error).message}`, {
      cause: error,
    });
  } finally {
    rmSync(draft, { force: true });
  }
}

function readHolder(path: string): ProcessIdentity | undefined {
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as ProcessIdentity;
  } catch {
    return undefined;
  }
}

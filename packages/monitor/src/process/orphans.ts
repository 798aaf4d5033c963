import { readFileSync } from 'node:fs';
import { exitCodeOfZombie, identifyProcess, reap } from '@wherry/linux';

/**
 * Reaps processes that came to this subreaper and that nobody waits for: what a container in the host's PID namespace
 * left behind. `isKept` names the children that somebody does wait for.
 */
export function reapOrphans(isKept: (pid: number) => boolean): void {
  for (const pid of childrenOfThisProcess()) {
    if (isKept(pid)) continue;
    const identity = identifyProcess(pid);
    if (identity && exitCodeOfZombie(identity) !== null) reap(pid);
  }
}

/** Children of the main thread; where the kernel has no list of them, none (they stay zombies until this process ends). */
function childrenOfThisProcess(): number[] {
  try {
    const text = readFileSync(`/proc/self/task/${process.pid}/children`, 'latin1');
    return text
      .split(' ')
      .filter((word) => word !== '')
      .map(Number);
  } catch {
    return [];
  }
}

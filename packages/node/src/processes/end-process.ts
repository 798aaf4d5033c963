import { sleep, systemClock } from '@wherry/clock';
import { isAlive, type ProcessIdentity } from '@wherry/linux';
import { limits } from '../limits.ts';

/** Asks a process to end and waits; one that does not within `limits.processStopTimeoutMs` is killed. */
export async function endProcess(identity: ProcessIdentity): Promise<'ended' | 'killed'> {
  send(identity, 'SIGTERM');
  if (await gone(identity, limits.processStopTimeoutMs)) return 'ended';
  send(identity, 'SIGKILL');
  await gone(identity, limits.processStopTimeoutMs);
  return 'killed';
}

function send(identity: ProcessIdentity, signal: NodeJS.Signals): void {
  if (!isAlive(identity)) return;
  try {
    process.kill(identity.pid, signal);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

async function gone(identity: ProcessIdentity, timeoutMs: number): Promise<boolean> {
  const deadline = systemClock.monotonicMs() + timeoutMs;
  while (isAlive(identity)) {
    if (systemClock.monotonicMs() > deadline) return false;
    await sleep({ clock: systemClock, delayMs: limits.readyPollMs });
  }
  return true;
}

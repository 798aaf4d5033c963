import { sleep, systemClock } from '@wherry/clock';
import { rolesOf } from '../layout/cluster.ts';
import type { NodeLayout } from '../layout/layout.ts';
import { lockNode } from '../layout/lock.ts';
import { isRunning, readRecord } from '../layout/record.ts';
import { logTail } from '../processes/log-tail.ts';
import { type Progress, silentProgress } from '../progress.ts';
import { bringUp } from './bring-up.ts';

const lookEveryMs = 500;
const restartPauseMs = 2_000;

/** Options of {@link watchProcesses}. */
export interface WatchProcessesOptions {
  /** Is told what died and what was brought back. Default: nobody is. */
  progress?: Progress | undefined;
  /** Ends the watch; it rejects with the signal's reason. */
  signal?: AbortSignal | undefined;
}

/**
 * Watches over a node in the foreground: a process that died is said to have died and is brought back. Resolves
 * when the node was ended by somebody else (its record is gone, or all of its processes are).
 */
export async function watchProcesses(
  layout: NodeLayout,
  { progress = silentProgress, signal }: WatchProcessesOptions = {},
): Promise<void> {
  for (;;) {
    await sleep({ clock: systemClock, delayMs: lookEveryMs, signal });
    const record = readRecord(layout);
    if (!record) return;
    const roles = rolesOf(record);
    const dead = roles.filter((role) => !isRunning(record, role));
    if (dead.length === roles.length) return;
    if (dead.length === 0) continue;
    await bringBack(layout, progress, signal);
    await sleep({ clock: systemClock, delayMs: restartPauseMs, signal });
  }
}

async function bringBack(layout: NodeLayout, progress: Progress, signal?: AbortSignal): Promise<void> {
  using _lock = await lockNode(layout, signal);
  const record = readRecord(layout);
  const roles = record ? rolesOf(record) : [];
  const dead = record ? roles.filter((role) => !isRunning(record, role)) : [];
  // Whoever held the lock before may have brought them back, or ended the node.
  if (dead.length === 0 || dead.length === roles.length) return;
  progress.say(`\n${dead.join(' and ')} ended; bringing back (logs in ${layout.logsDir})`);
  for (const role of dead) {
    const words = lastErrorOf(logTail(layout.logFile(role)));
    if (words) progress.say(`  ${words}`);
  }
  try {
    const { client } = await bringUp(layout, { progress, signal });
    client.close();
  } catch (error) {
    progress.say(`  ${(error as Error).message}`);
  }
}

/** The last line of a log, when it is an error: what a process said before it ended itself. */
function lastErrorOf(tail: string): string | undefined {
  const last = tail.split('\n').at(-1) ?? '';
  return /^\S+ error /.test(last) ? last : undefined;
}

import { sleep, systemClock } from '@wherry/clock';
import type { Steps } from '../output/steps.ts';
import { type NodeLayout, roles } from './layout.ts';
import { lockNode } from './lock.ts';
import { logTail } from './log-tail.ts';
import { isRunning, readRecord } from './record.ts';
import { startNode } from './start.ts';

const lookEveryMs = 500;
const restartPauseMs = 2_000;

/**
 * Watches over a node in the foreground: a process that died is said to have died and is brought back. Resolves
 * when the node was ended by somebody else (its record is gone, or all of its processes are).
 */
export async function watchProcesses(layout: NodeLayout, steps: Steps): Promise<void> {
  for (;;) {
    await sleep({ clock: systemClock, delayMs: lookEveryMs });
    const record = readRecord(layout);
    if (!record) return;
    const dead = roles.filter((role) => !isRunning(record, role));
    if (dead.length === roles.length) return;
    if (dead.length === 0) continue;
    await bringBack(layout, steps);
    await sleep({ clock: systemClock, delayMs: restartPauseMs });
  }
}

async function bringBack(layout: NodeLayout, steps: Steps): Promise<void> {
  using _lock = await lockNode(layout);
  const record = readRecord(layout);
  const dead = record ? roles.filter((role) => !isRunning(record, role)) : [];
  // Whoever held the lock before may have brought them back, or ended the node.
  if (dead.length === 0 || dead.length === roles.length) return;
  steps.say(`\n${dead.join(' and ')} ended; bringing back (logs in ${layout.logsDir})`);
  for (const role of dead) {
    const words = lastErrorOf(logTail(layout.logFile(role)));
    if (words) steps.say(`  ${words}`);
  }
  try {
    const { client } = await startNode(layout, {}, steps);
    client.close();
  } catch (error) {
    steps.say(`  ${(error as Error).message}`);
  }
}

/** The last line of a log, when it is an error: what a process said before it ended itself. */
function lastErrorOf(tail: string): string | undefined {
  const last = tail.split('\n').at(-1) ?? '';
  return /^\S+ error /.test(last) ? last : undefined;
}

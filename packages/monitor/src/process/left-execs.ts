import { readdirSync, readFileSync, statSync, unlinkSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { identifyProcess, type Poller } from '@wherry/linux';
import { WatchedProcess } from './exit-watch.ts';
import { readPidFile } from './oci-arguments.ts';

const signalHangUp = 1;
const signalKill = 9;
const ticksPerSecond = 100;
const msPerSecond = 1000;
/** A process starts a moment before its id is written down; the clocks that tell so are a tick apart. */
const slackMs = 1_000;

/**
 * Ends the exec processes that a killed monitor left: their sessions went with it, and nobody reads or waits for them.
 * They hang up, and are killed after `graceMs` (0: never), as those of a client that vanished. Their ids stand in files
 * that a monitor removes when the process has ended; `isOurs` tells the files of the one that asks.
 */
export function endLeftExecs(options: {
  folder: string;
  poller: Poller;
  graceMs: number;
  isOurs: (name: string) => boolean;
}): void {
  const { folder, poller, graceMs, isOurs } = options;
  for (const name of readdirSync(folder)) {
    if (isOurs(name)) continue;
    const path = join(folder, name);
    const left = name.endsWith('.pid') ? processOf(path, poller) : null;
    if (left) void hangUp(left, graceMs);
    unlinkSync(path);
  }
}

/** The process that the file names, unless its id is another's by now: that one started after the file was written. */
function processOf(path: string, poller: Poller): WatchedProcess | null {
  const pid = readPidFile(path);
  const identity = identifyProcess(pid);
  if (!identity) return null;
  const bootedAtS = Number(/^btime (\d+)$/m.exec(readFileSync('/proc/stat', 'utf8'))?.[1]);
  const startedAtMs = bootedAtS * msPerSecond + (identity.startTicks * msPerSecond) / ticksPerSecond;
  if (startedAtMs > statSync(path).mtimeMs + slackMs) return null;
  return WatchedProcess.open({ pid, identity, poller });
}

async function hangUp(left: WatchedProcess, graceMs: number): Promise<void> {
  left.signal(signalHangUp);
  if (graceMs > 0) await Promise.race([left.exited, delay(graceMs, undefined, { ref: false })]);
  if (graceMs > 0) left.signal(signalKill);
}

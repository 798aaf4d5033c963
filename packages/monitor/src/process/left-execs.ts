import { readdirSync, readFileSync, statSync, unlinkSync } from 'node:fs';
import { join } from 'node:path';
import { type Clock, sleep } from '@wherry/clock';
import { identifyProcess } from '@wherry/linux';
import { WatchedProcess, type WatchTools } from './exit-watch.ts';
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
  tools: WatchTools;
  graceMs: number;
  isOurs: (name: string) => boolean;
}): void {
  const { folder, tools, graceMs, isOurs } = options;
  for (const name of readdirSync(folder)) {
    if (isOurs(name)) continue;
    const path = join(folder, name);
    const left = name.endsWith('.pid') ? processAt(path, tools) : null;
    if (left) void hangUp(left, tools.clock, graceMs);
    unlinkSync(path);
  }
}

/** The process that a pid file names, unless its id is another's by now: that one started after the file was written. */
export function processAt(path: string, tools: WatchTools): WatchedProcess | null {
  const pid = readPidFile(path);
  const identity = identifyProcess(pid);
  if (!identity) return null;
  const bootedAtS = Number(/^btime (\d+)$/m.exec(readFileSync('/proc/stat', 'utf8'))?.[1]);
  const startedAtMs = bootedAtS * msPerSecond + (identity.startTicks * msPerSecond) / ticksPerSecond;
  if (startedAtMs > statSync(path).mtimeMs + slackMs) return null;
  return WatchedProcess.open({ pid, identity, tools });
}

async function hangUp(left: WatchedProcess, clock: Clock, graceMs: number): Promise<void> {
  left.signal(signalHangUp);
  if (graceMs === 0) return;
  await Promise.race([left.exited, sleep({ clock, delayMs: graceMs })]);
  left.signal(signalKill);
}

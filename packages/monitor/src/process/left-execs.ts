import { readdirSync, readFileSync, statSync, unlinkSync } from 'node:fs';
import { join } from 'node:path';
import { type Clock, sleep } from '@wherry/clock';
import { identifyProcess } from '@wherry/linux';
import { limits } from '../limits.ts';
import { WatchedProcess, type WatchTools } from './exit-watch.ts';
import { pidIn } from './oci-arguments.ts';

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
    const isPidFile = name.endsWith('.pid');
    if (isPidFile && isBeingWritten(path, tools.clock)) continue;
    const left = isPidFile ? processAt(path, tools) : null;
    if (left) void hangUp(left, tools.clock, graceMs);
    unlinkSync(path);
  }
}

/** What is empty for longer than an OCI runtime may take has lost its content, as with the machine's power. */
function isBeingWritten(path: string, clock: Clock): boolean {
  const { size, mtimeMs } = statSync(path);
  return size === 0 && clock.nowMs() - mtimeMs < limits.ociCallTimeoutMs;
}

/** The process that a pid file names, if any, unless its id is another's by now: that one started after the file was written. */
export function processAt(path: string, tools: WatchTools): WatchedProcess | null {
  const pid = pidIn(path);
  const identity = pid === undefined ? null : identifyProcess(pid);
  if (pid === undefined || !identity) return null;
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

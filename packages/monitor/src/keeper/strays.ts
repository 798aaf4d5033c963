import { readdirSync, readlinkSync } from 'node:fs';
import { signalById } from '@wherry/linux';

const signalKill = 9;

/** Process ids of everything that runs the keepers' program, also an older one that was replaced. */
export function runningKeepers(program: string): number[] {
  const names = new Set([program, `${program} (deleted)`]);
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && names.has(executableOf(name)))
    .map(Number);
}

/** Ends the keepers that no container knows, which a monitor may leave that is killed while it starts one. */
export function endStrayKeepers(program: string, kept: ReadonlySet<number>): void {
  for (const pid of runningKeepers(program)) {
    if (!kept.has(pid)) signalById(pid, signalKill);
  }
}

function executableOf(pid: string): string {
  try {
    return readlinkSync(`/proc/${pid}/exe`);
  } catch {
    return '';
  }
}

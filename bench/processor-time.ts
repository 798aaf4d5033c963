/** Processor time of processes, as the kernel counts it. */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

const ticksPerSecond = Number(execFileSync('getconf', ['CLK_TCK'], { encoding: 'utf8' }));

/** Processor time that a process has taken, in milliseconds; of its children nothing. Throws when it has ended. */
export function cpuMs(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
  return ((Number(fields[11]) + Number(fields[12])) / ticksPerSecond) * 1_000;
}

/** What each takes of a processor while `intervalMs` pass, in percent. */
export async function processorShares(
  processes: readonly { role: string; pid: number }[],
  intervalMs: number,
): Promise<{ role: string; percent: number }[]> {
  const before = processes.map(({ pid }) => cpuMs(pid));
  const startedMs = performance.now();
  await sleep(intervalMs);
  const passedMs = performance.now() - startedMs;
  return processes.map(({ role, pid }, at) => ({
    role,
    percent: ((cpuMs(pid) - before[at]!) / passedMs) * 100,
  }));
}

/** All together, and each. */
export function sharesText(shares: readonly { role: string; percent: number }[]): string {
  const sum = shares.reduce((all, { percent }) => all + percent, 0);
  const each = shares.map(({ role, percent }) => `${role} ${percent.toFixed(1)}`).join(', ');
  return `${sum.toFixed(1)} % of a core (${each})`;
}

const busyShareMax = 0.15;
const restLookMs = 1_000;
const restGiveUpMs = 60_000;

/** Waits until the processors have little to do for a second: what came before is over, the kernel's part of it as well. */
export async function machineAtRest(): Promise<void> {
  const giveUpAtMs = performance.now() + restGiveUpMs;
  for (let before = processorTicks(); performance.now() < giveUpAtMs; ) {
    await sleep(restLookMs);
    const now = processorTicks();
    if ((now.busy - before.busy) / (now.all - before.all) < busyShareMax) return;
    before = now;
  }
}

function processorTicks(): { all: number; busy: number } {
  const first = readFileSync('/proc/stat', 'utf8').split('\n')[0] ?? '';
  const ticks = first.split(/ +/).slice(1, 9).map(Number);
  const all = ticks.reduce((sum, each) => sum + each, 0);
  const [, , , idle = 0, waiting = 0] = ticks;
  return { all, busy: all - idle - waiting };
}

import { readFileSync, readlinkSync } from 'node:fs';
import { hostname } from 'node:os';

/** Where process numbers mean the same: this machine, since it was started, in this PID namespace. */
function place(): string {
  const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
  const namespace = readlinkSync('/proc/self/ns/pid').replace(/\D/g, '');
  return `${hostname()}_${boot}_${namespace}`;
}

/** When a process was started, in ticks since boot; undefined when it is not there, or has ended. */
function startTicksOf(pid: string): string | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return fields[0] === 'Z' || fields[0] === 'X' ? undefined : fields[19];
  } catch {
    return undefined;
  }
}

/** The identity under which this process stands for election; no other process ever has the same. */
export function ownCandidacy(): string {
  return `${place()}_${process.pid}_${startTicksOf('self')}`;
}

/** Whether that candidate was a process of this machine that has ended. */
export function candidateHasEnded(identity: string): boolean {
  const [, where, pid, startTicks] = /^(.+)_(\d+)_(\d+)$/.exec(identity) ?? [];
  // Others than root may be kept from seeing a process that is there.
  if (where !== place() || !pid || process.geteuid?.() !== 0) return false;
  return startTicksOf(pid) !== startTicks;
}

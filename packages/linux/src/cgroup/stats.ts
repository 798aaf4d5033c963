import { join } from 'node:path';
import { readGroupFile, readKeyed, readNumber } from './files.ts';
import type { CgroupFolders } from './layout.ts';

/** One reading of a control group. Bytes and nanoseconds; limits are Infinity when there is none. */
export interface CgroupStats {
  cpuUsageNs: number;
  memoryUsageBytes: number;
  /** Usage less inactive file pages: what cannot be given back at once. */
  workingSetBytes: number;
  /** Anonymous memory. */
  residentBytes: number;
  memoryLimitBytes: number;
  pageFaults: number;
  majorPageFaults: number;
  swapUsageBytes: number;
  /** Of swap alone; undefined on cgroup v1, which bounds memory and swap together. */
  swapLimitBytes?: number | undefined;
  processCount: number;
}

const noLimit = 0x7fff_ffff_ffff_f000;

function asLimit(bytes: number): number {
  return bytes >= noLimit ? Number.POSITIVE_INFINITY : bytes;
}

/** Reads a group's counters, from v1 or v2 files; null when the group is gone. */
export function readStats(folders: CgroupFolders): CgroupStats | null {
  const memory = folders.controllers.get('memory');
  return memory === undefined ? readUnified(folders.unified) : readLegacy(folders, memory);
}

function readUnified(folder: string | null): CgroupStats | null {
  if (folder === null || readGroupFile(join(folder, 'cgroup.procs')) === null) return null;
  const memory = readKeyed(join(folder, 'memory.stat'));
  const usage = readNumber(join(folder, 'memory.current'));
  return {
    cpuUsageNs: (readKeyed(join(folder, 'cpu.stat')).get('usage_usec') ?? 0) * 1000,
    memoryUsageBytes: usage,
    workingSetBytes: Math.max(0, usage - (memory.get('inactive_file') ?? 0)),
    residentBytes: memory.get('anon') ?? 0,
    memoryLimitBytes: readNumber(join(folder, 'memory.max')),
    pageFaults: memory.get('pgfault') ?? 0,
    majorPageFaults: memory.get('pgmajfault') ?? 0,
    swapUsageBytes: readNumber(join(folder, 'memory.swap.current')),
    swapLimitBytes: readNumber(join(folder, 'memory.swap.max')),
    processCount: readNumber(join(folder, 'pids.current')),
  };
}

function readLegacy(folders: CgroupFolders, memoryFolder: string): CgroupStats | null {
  if (readGroupFile(join(memoryFolder, 'cgroup.procs')) === null) return null;
  const memory = readKeyed(join(memoryFolder, 'memory.stat'));
  const usage = readNumber(join(memoryFolder, 'memory.usage_in_bytes'));
  const cpuFolder = folders.controllers.get('cpuacct');
  const pidsFolder = folders.controllers.get('pids');
  return {
    cpuUsageNs: cpuFolder === undefined ? 0 : readNumber(join(cpuFolder, 'cpuacct.usage')),
    memoryUsageBytes: usage,
    workingSetBytes: Math.max(0, usage - (memory.get('total_inactive_file') ?? 0)),
    residentBytes: memory.get('total_rss') ?? 0,
    memoryLimitBytes: asLimit(readNumber(join(memoryFolder, 'memory.limit_in_bytes'))),
    pageFaults: memory.get('total_pgfault') ?? 0,
    majorPageFaults: memory.get('total_pgmajfault') ?? 0,
    swapUsageBytes: memory.get('total_swap') ?? 0,
    processCount: pidsFolder === undefined ? 0 : readNumber(join(pidsFolder, 'pids.current')),
  };
}

/**
 * How many processes of the group (or of groups below it) the kernel killed for want of memory; 0 when it cannot be
 * told. v1: memory.oom_control (kernel 4.13), v2: memory.events, both with "oom_kill".
 */
export function readOutOfMemoryKills(folders: CgroupFolders): number {
  const legacy = folders.controllers.get('memory');
  if (legacy !== undefined) return readKeyed(join(legacy, 'memory.oom_control')).get('oom_kill') ?? 0;
  if (folders.unified === null) return 0;
  return readKeyed(join(folders.unified, 'memory.events')).get('oom_kill') ?? 0;
}

import { join } from 'node:path';
import { readGroupFile, readKeyed, readNumber } from './files.ts';
import type { CgroupFolders } from './layout.ts';
import { type CgroupStats, readOutOfMemoryKills, readStats } from './stats.ts';

/** Time of a group on the processors, nanoseconds. */
export interface CpuFigures {
  userNs: number;
  systemNs: number;
  /** Periods of the quota that passed, and how many of them the group was held back in. */
  periods: number;
  throttledPeriods: number;
  throttledNs: number;
  /** The quota, microseconds each period; undefined without one. */
  quotaUs: number | undefined;
  periodUs: number;
  /** Relative weight in the units of cgroup v1, 2 to 262144. */
  shares: number;
}

/** Memory of a group by what it is, bytes. */
export interface MemoryFigures {
  cacheBytes: number;
  mappedBytes: number;
  kernelBytes: number;
  mostBytes: number;
  activeFileBytes: number;
  inactiveFileBytes: number;
  /** How often the limit stood in the way. */
  limitHits: number;
  swapLimitBytes: number;
  reservationBytes: number;
  outOfMemoryKills: number;
}

/** What went to and from one block device since the group began. */
export interface BlockFigures {
  /** `major:minor`. */
  device: string;
  readBytes: number;
  writtenBytes: number;
  reads: number;
  writes: number;
}

/** One full reading of a control group: what {@link readStats} tells, and what is behind it. */
export interface CgroupFigures {
  stats: CgroupStats;
  cpu: CpuFigures;
  memory: MemoryFigures;
  blocks: readonly BlockFigures[];
  /** Processes and threads; the bound is Infinity when there is none. */
  tasksMax: number;
}

const nsPerUs = 1_000;
/** Ticks of cpuacct.stat are hundredths of a second (USER_HZ). */
const nsPerTick = 10_000_000;
const defaultPeriodUs = 100_000;

/** Reads everything that the kernel counts of a group, from v1 or v2 files; null when the group is gone. */
export function readFigures(folders: CgroupFolders): CgroupFigures | null {
  const stats = readStats(folders);
  if (!stats) return null;
  const isLegacy = folders.controllers.has('memory');
  const file = (controller: string, name: string) =>
    join(folders.controllers.get(controller) ?? folders.unified ?? '/nonexistent', name);
  return {
    stats,
    cpu: isLegacy ? legacyCpu(file) : unifiedCpu(file),
    memory: {
      ...(isLegacy ? legacyMemory(file) : unifiedMemory(file)),
      outOfMemoryKills: readOutOfMemoryKills(folders),
    },
    blocks: isLegacy ? legacyBlocks(file) : unifiedBlocks(readGroupFile(file('io', 'io.stat')) ?? ''),
    tasksMax: readNumber(file('pids', 'pids.max')),
  };
}

type FileOf = (controller: string, name: string) => string;

function legacyCpu(file: FileOf): CpuFigures {
  const ticks = readKeyed(file('cpuacct', 'cpuacct.stat'));
  const throttling = readKeyed(file('cpu', 'cpu.stat'));
  const quotaUs = readNumber(file('cpu', 'cpu.cfs_quota_us'));
  return {
    userNs: (ticks.get('user') ?? 0) * nsPerTick,
    systemNs: (ticks.get('system') ?? 0) * nsPerTick,
    periods: throttling.get('nr_periods') ?? 0,
    throttledPeriods: throttling.get('nr_throttled') ?? 0,
    throttledNs: throttling.get('throttled_time') ?? 0,
    quotaUs: quotaUs > 0 ? quotaUs : undefined,
    periodUs: readNumber(file('cpu', 'cpu.cfs_period_us')) || defaultPeriodUs,
    shares: readNumber(file('cpu', 'cpu.shares')),
  };
}

function unifiedCpu(file: FileOf): CpuFigures {
  const stat = readKeyed(file('cpu', 'cpu.stat'));
  const [quota = 'max', period] = (readGroupFile(file('cpu', 'cpu.max')) ?? '').trim().split(' ');
  const weight = readNumber(file('cpu', 'cpu.weight'));
  return {
    userNs: (stat.get('user_usec') ?? 0) * nsPerUs,
    systemNs: (stat.get('system_usec') ?? 0) * nsPerUs,
    periods: stat.get('nr_periods') ?? 0,
    throttledPeriods: stat.get('nr_throttled') ?? 0,
    throttledNs: (stat.get('throttled_usec') ?? 0) * nsPerUs,
    quotaUs: Number(quota) > 0 ? Number(quota) : undefined,
    periodUs: Number(period ?? 0) || defaultPeriodUs,
    shares: weight === 0 ? 0 : 2 + Math.floor(((weight - 1) * 262_142) / 9_999),
  };
}

type MemoryFiles = Omit<MemoryFigures, 'outOfMemoryKills'>;

function legacyMemory(file: FileOf): MemoryFiles {
  const stat = readKeyed(file('memory', 'memory.stat'));
  const number = (name: string) => readNumber(file('memory', name));
  return {
    cacheBytes: stat.get('total_cache') ?? 0,
    mappedBytes: stat.get('total_mapped_file') ?? 0,
    kernelBytes: number('memory.kmem.usage_in_bytes'),
    mostBytes: number('memory.max_usage_in_bytes'),
    activeFileBytes: stat.get('total_active_file') ?? 0,
    inactiveFileBytes: stat.get('total_inactive_file') ?? 0,
    limitHits: number('memory.failcnt'),
    swapLimitBytes: number('memory.memsw.limit_in_bytes'),
    reservationBytes: number('memory.soft_limit_in_bytes'),
  };
}

function unifiedMemory(file: FileOf): MemoryFiles {
  const stat = readKeyed(file('memory', 'memory.stat'));
  const number = (name: string) => readNumber(file('memory', name));
  return {
    cacheBytes: stat.get('file') ?? 0,
    mappedBytes: stat.get('file_mapped') ?? 0,
    kernelBytes: stat.get('kernel') ?? 0,
    mostBytes: number('memory.peak'),
    activeFileBytes: stat.get('active_file') ?? 0,
    inactiveFileBytes: stat.get('inactive_file') ?? 0,
    limitHits: readKeyed(file('memory', 'memory.events')).get('max') ?? 0,
    swapLimitBytes: number('memory.swap.max'),
    reservationBytes: number('memory.low'),
  };
}

/** blkio.throttle files: lines of "major:minor Operation count", and one "Total count". */
function legacyBlocks(file: FileOf): BlockFigures[] {
  const devices = new Map<string, BlockFigures>();
  const add = (name: string, read: keyof Omit<BlockFigures, 'device'>, write: typeof read) => {
    for (const line of (readGroupFile(file('blkio', name)) ?? '').split('\n')) {
      const [device = '', operation, count] = line.split(' ');
      if (count === undefined || (operation !== 'Read' && operation !== 'Write')) continue;
      const known = devices.get(device) ?? { device, readBytes: 0, writtenBytes: 0, reads: 0, writes: 0 };
      known[operation === 'Read' ? read : write] = Number(count);
      devices.set(device, known);
    }
  };
  add('blkio.throttle.io_service_bytes_recursive', 'readBytes', 'writtenBytes');
  add('blkio.throttle.io_serviced_recursive', 'reads', 'writes');
  return [...devices.values()];
}

/** io.stat: lines of "major:minor key=value…" (Documentation/admin-guide/cgroup-v2.rst). */
function unifiedBlocks(text: string): BlockFigures[] {
  return text
    .split('\n')
    .filter((line) => line.includes('='))
    .map((line) => {
      const [device = '', ...fields] = line.trim().split(' ');
      const counts = new Map(fields.map((field) => field.split('=') as [string, string]));
      const count = (name: string) => Number(counts.get(name) ?? 0);
      const [readBytes, writtenBytes] = [count('rbytes'), count('wbytes')];
      return { device, readBytes, writtenBytes, reads: count('rios'), writes: count('wios') };
    });
}

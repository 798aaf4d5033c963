import { openFilesMaxOf, openFilesOf, type PressureResource, readPressure } from '@wherry/linux';
import type { Labels } from '@wherry/telemetry';
import { figureFilesMax, figureProcessesMax } from '../../limits.ts';
import { deviceName } from '../device-names.ts';
import type { GroupFigures } from '../pod-groups.ts';
import type { FamilyName, Samples } from './families.ts';

const nsPerSecond = 1e9;
/** What cgroup v1 says where there is no limit; v2 says "max". */
const noLimit = 0x7fff_ffff_ffff_f000;
const limitOf = (value: number) => (value >= noLimit ? 0 : value);

/** Everything that the kernel counts of one control group; `pids`, of a container, also by what they have open. */
export function groupSamples(
  samples: Samples,
  labels: Labels,
  group: GroupFigures,
  about: { atMs: number; startedAtNs?: bigint | undefined; pids?: readonly number[] },
): void {
  const add = (name: FamilyName, value: number, more: Labels = {}) =>
    samples.add(name, value, { ...labels, ...more });
  add('container_last_seen', Math.floor(about.atMs / 1_000));
  if (about.startedAtNs) add('container_start_time_seconds', Number(about.startedAtNs) / nsPerSecond);
  cpuSamples(add, group);
  memorySamples(add, group);
  blockSamples(add, group);
  pressureSamples(add, group);
  add('container_processes', about.pids?.length ?? group.stats.processCount);
  add('container_threads', group.stats.processCount);
  add('container_threads_max', limitOf(group.tasksMax));
  if (about.pids) openSamples(add, about.pids);
}

type Add = (name: FamilyName, value: number, more?: Labels) => void;

function cpuSamples(add: Add, { cpu, stats }: GroupFigures): void {
  add('container_cpu_usage_seconds_total', stats.cpuUsageNs / nsPerSecond, { cpu: 'total' });
  add('container_cpu_user_seconds_total', cpu.userNs / nsPerSecond);
  add('container_cpu_system_seconds_total', cpu.systemNs / nsPerSecond);
  add('container_spec_cpu_period', cpu.periodUs);
  add('container_spec_cpu_shares', cpu.shares);
  if (cpu.quotaUs === undefined) return;
  add('container_spec_cpu_quota', cpu.quotaUs);
  add('container_cpu_cfs_periods_total', cpu.periods);
  add('container_cpu_cfs_throttled_periods_total', cpu.throttledPeriods);
  add('container_cpu_cfs_throttled_seconds_total', cpu.throttledNs / nsPerSecond);
}

function memorySamples(add: Add, { memory, stats }: GroupFigures): void {
  add('container_memory_usage_bytes', stats.memoryUsageBytes);
  add('container_memory_working_set_bytes', stats.workingSetBytes);
  add('container_memory_rss', stats.residentBytes);
  add('container_memory_cache', memory.cacheBytes);
  add('container_memory_swap', stats.swapUsageBytes);
  add('container_memory_mapped_file', memory.mappedBytes);
  add('container_memory_kernel_usage', memory.kernelBytes);
  add('container_memory_max_usage_bytes', memory.mostBytes);
  add('container_memory_total_active_file_bytes', memory.activeFileBytes);
  add('container_memory_total_inactive_file_bytes', memory.inactiveFileBytes);
  add('container_memory_failcnt', memory.limitHits);
  add('container_memory_failures_total', stats.pageFaults, { failure_type: 'pgfault', scope: 'hierarchy' });
  const major = { failure_type: 'pgmajfault', scope: 'hierarchy' };
  add('container_memory_failures_total', stats.majorPageFaults, major);
  add('container_spec_memory_limit_bytes', limitOf(stats.memoryLimitBytes));
  add('container_spec_memory_swap_limit_bytes', limitOf(memory.swapLimitBytes));
  add('container_spec_memory_reservation_limit_bytes', limitOf(memory.reservationBytes));
  add('container_oom_events_total', memory.outOfMemoryKills);
}

function blockSamples(add: Add, { blocks }: GroupFigures): void {
  for (const { device: number, readBytes, writtenBytes, reads, writes } of blocks) {
    const [major = '', minor = ''] = number.split(':');
    const device = deviceName(number);
    const usage = { device, major, minor };
    add('container_blkio_device_usage_total', readBytes, { ...usage, operation: 'Read' });
    add('container_blkio_device_usage_total', writtenBytes, { ...usage, operation: 'Write' });
    add('container_fs_reads_bytes_total', readBytes, { device });
    add('container_fs_writes_bytes_total', writtenBytes, { device });
    add('container_fs_reads_total', reads, { device });
    add('container_fs_writes_total', writes, { device });
  }
}

function openSamples(add: Add, pids: readonly number[]): void {
  const { files, sockets } = openFilesOf(pids.slice(0, figureProcessesMax), figureFilesMax);
  add('container_file_descriptors', files);
  add('container_sockets', sockets);
  const [first] = pids;
  const most = first === undefined ? undefined : openFilesMaxOf(first);
  if (most !== undefined) add('container_ulimits_soft', most, { ulimit: 'max_open_files' });
}

function pressureSamples(add: Add, { folders }: GroupFigures): void {
  const resources: PressureResource[] = ['cpu', 'memory', 'io'];
  for (const resource of resources) {
    const pressure = readPressure(folders.unified, resource);
    if (!pressure) continue;
    const seconds = (totalNs = 0) => totalNs / nsPerSecond;
    add(`container_pressure_${resource}_waiting_seconds_total`, seconds(pressure.some?.totalNs));
    add(`container_pressure_${resource}_stalled_seconds_total`, seconds(pressure.full?.totalNs));
  }
}

import {
  type CgroupFolders,
  type InterfaceCounters,
  type PressureResource,
  readFigures,
  readPressure,
} from '@wherry/linux';
import type { Samples } from './families.ts';
import { deviceName } from './file-system.ts';

const nsPerSecond = 1e9;

/** Everything that the kernel counts of a control group; false when the group is gone. */
export function addGroup(samples: Samples, folders: CgroupFolders): boolean {
  const figures = readFigures(folders);
  if (!figures) return false;
  const { cpu, memory, stats, blocks, tasksMax } = figures;
  samples.add('container_cpu_usage_seconds_total', stats.cpuUsageNs / nsPerSecond, 'total');
  samples.add('container_cpu_user_seconds_total', cpu.userNs / nsPerSecond);
  samples.add('container_cpu_system_seconds_total', cpu.systemNs / nsPerSecond);
  samples.add('container_spec_cpu_period', cpu.periodUs);
  samples.add('container_spec_cpu_shares', cpu.shares);
  if (cpu.quotaUs !== undefined) {
    samples.add('container_spec_cpu_quota', cpu.quotaUs);
    samples.add('container_cpu_cfs_periods_total', cpu.periods);
    samples.add('container_cpu_cfs_throttled_periods_total', cpu.throttledPeriods);
    samples.add('container_cpu_cfs_throttled_seconds_total', cpu.throttledNs / nsPerSecond);
  }
  samples.add('container_memory_usage_bytes', stats.memoryUsageBytes);
  samples.add('container_memory_working_set_bytes', stats.workingSetBytes);
  samples.add('container_memory_rss', stats.residentBytes);
  samples.add('container_memory_cache', memory.cacheBytes);
  samples.add('container_memory_swap', stats.swapUsageBytes);
  samples.add('container_memory_mapped_file', memory.mappedBytes);
  samples.add('container_memory_kernel_usage', memory.kernelBytes);
  samples.add('container_memory_max_usage_bytes', memory.mostBytes);
  samples.add('container_memory_failcnt', memory.limitHits);
  samples.add('container_memory_failures_total', stats.pageFaults, 'pgfault', 'hierarchy');
  samples.add('container_memory_failures_total', stats.majorPageFaults, 'pgmajfault', 'hierarchy');
  samples.add('container_spec_memory_limit_bytes', stats.memoryLimitBytes);
  samples.add('container_spec_memory_swap_limit_bytes', memory.swapLimitBytes);
  samples.add('container_spec_memory_reservation_limit_bytes', memory.reservationBytes);
  samples.add('container_oom_events_total', memory.outOfMemoryKills);
  samples.add('container_threads', stats.processCount);
  samples.add('container_threads_max', tasksMax);
  for (const { device: number, readBytes, writtenBytes, reads, writes } of blocks) {
    const [major = '', minor = ''] = number.split(':');
    const device = deviceName(number);
    samples.add('container_blkio_device_usage_total', readBytes, device, major, minor, 'Read');
    samples.add('container_blkio_device_usage_total', writtenBytes, device, major, minor, 'Write');
    samples.add('container_fs_reads_bytes_total', readBytes, device);
    samples.add('container_fs_writes_bytes_total', writtenBytes, device);
    samples.add('container_fs_reads_total', reads, device);
    samples.add('container_fs_writes_total', writes, device);
  }
  addPressure(samples, folders.unified);
  return true;
}

function addPressure(samples: Samples, unified: string | null): void {
  const resources: PressureResource[] = ['cpu', 'memory', 'io'];
  for (const resource of resources) {
    const pressure = readPressure(unified, resource);
    if (!pressure) continue;
    const seconds = (totalNs = 0) => totalNs / nsPerSecond;
    samples.add(`container_pressure_${resource}_waiting_seconds_total`, seconds(pressure.some?.totalNs));
    samples.add(`container_pressure_${resource}_stalled_seconds_total`, seconds(pressure.full?.totalNs));
  }
}

/** What went through the interfaces of a pod. */
export function addInterfaces(samples: Samples, interfaces: readonly InterfaceCounters[]): void {
  for (const { name, rxBytes, rxPackets, rxErrors, rxDropped, ...sent } of interfaces) {
    samples.add('container_network_receive_bytes_total', rxBytes, name);
    samples.add('container_network_receive_packets_total', rxPackets, name);
    samples.add('container_network_receive_errors_total', rxErrors, name);
    samples.add('container_network_receive_packets_dropped_total', rxDropped, name);
    samples.add('container_network_transmit_bytes_total', sent.txBytes, name);
    samples.add('container_network_transmit_packets_total', sent.txPackets, name);
    samples.add('container_network_transmit_errors_total', sent.txErrors, name);
    samples.add('container_network_transmit_packets_dropped_total', sent.txDropped, name);
  }
}

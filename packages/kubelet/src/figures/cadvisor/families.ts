import { type Labels, MetricsPage } from '@wherry/telemetry';

const families = {
  container_blkio_device_usage_total: ['counter', 'Bytes read and written by block device'],
  container_cpu_cfs_periods_total: ['counter', 'Periods of the processor quota that passed'],
  container_cpu_cfs_throttled_periods_total: ['counter', 'Periods in which the group was held back'],
  container_cpu_cfs_throttled_seconds_total: ['counter', 'Time in seconds for which the group was held back'],
  container_cpu_system_seconds_total: ['counter', 'Time on the processors in the kernel in seconds'],
  container_cpu_usage_seconds_total: ['counter', 'Time on the processors in seconds'],
  container_cpu_user_seconds_total: ['counter', 'Time on the processors outside the kernel in seconds'],
  container_file_descriptors: ['gauge', 'Files that processes of the container have open'],
  container_fs_inodes_free: ['gauge', 'Inodes that are free on this file system'],
  container_fs_inodes_total: ['gauge', 'Inodes of this file system'],
  container_fs_limit_bytes: ['gauge', 'Size of this file system in bytes'],
  container_fs_reads_bytes_total: ['counter', 'Bytes read from this device'],
  container_fs_reads_total: ['counter', 'Reads from this device'],
  container_fs_usage_bytes: ['gauge', 'Bytes in use on this file system'],
  container_fs_writes_bytes_total: ['counter', 'Bytes written to this device'],
  container_fs_writes_total: ['counter', 'Writes to this device'],
  container_last_seen: ['gauge', 'When the group was last read, in seconds since the epoch'],
  container_memory_cache: ['gauge', 'Page cache in bytes'],
  container_memory_failcnt: ['counter', 'How often the memory limit stood in the way'],
  container_memory_failures_total: ['counter', 'Page faults'],
  container_memory_kernel_usage: ['gauge', 'Memory of the kernel in bytes'],
  container_memory_mapped_file: ['gauge', 'Files mapped into memory in bytes'],
  container_memory_max_usage_bytes: ['gauge', 'Most memory that was in use at once in bytes'],
  container_memory_rss: ['gauge', 'Anonymous memory in bytes'],
  container_memory_swap: ['gauge', 'Swap in use in bytes'],
  container_memory_total_active_file_bytes: ['gauge', 'File pages in use in bytes'],
  container_memory_total_inactive_file_bytes: ['gauge', 'File pages that can be dropped in bytes'],
  container_memory_usage_bytes: ['gauge', 'Memory in use in bytes, whatever for'],
  container_memory_working_set_bytes: ['gauge', 'Memory that can not be given back at once in bytes'],
  container_network_receive_bytes_total: ['counter', 'Bytes received'],
  container_network_receive_errors_total: ['counter', 'Errors while receiving'],
  container_network_receive_packets_dropped_total: ['counter', 'Received packets that were dropped'],
  container_network_receive_packets_total: ['counter', 'Packets received'],
  container_network_transmit_bytes_total: ['counter', 'Bytes sent'],
  container_network_transmit_errors_total: ['counter', 'Errors while sending'],
  container_network_transmit_packets_dropped_total: ['counter', 'Packets to be sent that were dropped'],
  container_network_transmit_packets_total: ['counter', 'Packets sent'],
  container_oom_events_total: ['counter', 'Processes killed for want of memory'],
  container_pressure_cpu_stalled_seconds_total: ['counter', 'Time in which no task got a processor'],
  container_pressure_cpu_waiting_seconds_total: ['counter', 'Time in which a task waited for a processor'],
  container_pressure_io_stalled_seconds_total: ['counter', 'Time in which all tasks waited for devices'],
  container_pressure_io_waiting_seconds_total: ['counter', 'Time in which a task waited for a device'],
  container_pressure_memory_stalled_seconds_total: ['counter', 'Time in which all tasks waited for memory'],
  container_pressure_memory_waiting_seconds_total: ['counter', 'Time in which a task waited for memory'],
  container_processes: ['gauge', 'Processes of the group'],
  container_sockets: ['gauge', 'Sockets that processes of the container have open'],
  container_spec_cpu_period: ['gauge', 'Period of the processor quota in microseconds'],
  container_spec_cpu_quota: ['gauge', 'Processor quota of each period in microseconds'],
  container_spec_cpu_shares: ['gauge', 'Weight for the processors'],
  container_spec_memory_limit_bytes: ['gauge', 'Memory limit in bytes, 0 for none'],
  container_spec_memory_reservation_limit_bytes: ['gauge', 'Memory that is set aside in bytes, 0 for none'],
  container_spec_memory_swap_limit_bytes: ['gauge', 'Swap limit in bytes, 0 for none'],
  container_start_time_seconds: ['gauge', 'Start in seconds since the epoch'],
  container_threads: ['gauge', 'Processes and threads of the group'],
  container_threads_max: ['gauge', 'Most processes and threads, 0 for no bound'],
  container_ulimits_soft: ['gauge', 'Limit of the first process of the container'],
  machine_cpu_cores: ['gauge', 'Logical processors of the machine'],
  machine_memory_bytes: ['gauge', 'Memory of the machine in bytes'],
  machine_scrape_error: ['gauge', 'Whether the machine could not be looked at: 1, or 0'],
  machine_swap_bytes: ['gauge', 'Swap of the machine in bytes'],
} as const satisfies Record<string, readonly ['counter' | 'gauge', string]>;

/** A family of the page. */
export type FamilyName = keyof typeof families;

/** Puts samples on a page, each under its family. */
export class Samples {
  readonly page = new MetricsPage();
  readonly #atMs: number;

  constructor(atMs: number) {
    this.#atMs = atMs;
  }

  /** One sample of what was read at the page's time. */
  add(name: FamilyName, value: number, labels: Labels): void {
    const [type, help] = families[name];
    this.page[type](name, help)(value, labels, this.#atMs);
  }
}

/** Labels that every sample of a group has, in cAdvisor's order; empty where they do not apply. */
export function groupLabels(labels: {
  id: string;
  container?: string;
  image?: string;
  name?: string;
  namespace?: string;
  pod?: string;
}): Labels {
  const { id, container = '', image = '', name = '', namespace = '', pod = '' } = labels;
  return { container, id, image, name, namespace, pod };
}

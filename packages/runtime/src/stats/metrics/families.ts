import { type Input, type Metric, type MetricDescriptor, MetricType } from '@wherry/cri';

/** Labels that every sample has, in cAdvisor's order; empty where they do not apply. */
const baseKeys = ['container', 'id', 'image', 'name', 'namespace', 'pod'] as const;

/** The values of those labels. */
export type BaseLabels = Readonly<Record<(typeof baseKeys)[number], string>>;

/** A family: its kind, what it tells, and the labels that it has beside the common ones. */
interface Family {
  type: MetricType;
  help: string;
  keys: readonly string[];
}

const counter = (help: string, ...keys: string[]): Family => ({ type: MetricType.COUNTER, help, keys });
const gauge = (help: string, ...keys: string[]): Family => ({ type: MetricType.GAUGE, help, keys });

/** The families of cAdvisor (metrics/prometheus.go) that containerd tells of as well. Numbers are whole, as CRI has them. */
const families = {
  container_blkio_device_usage_total: counter(
    'Bytes read and written by block device',
    ...['device', 'major', 'minor', 'operation'],
  ),
  container_cpu_cfs_periods_total: counter('Periods of the processor quota that passed'),
  container_cpu_cfs_throttled_periods_total: counter('Periods in which the container was held back'),
  container_cpu_cfs_throttled_seconds_total: counter('Seconds for which the container was held back'),
  container_cpu_system_seconds_total: counter('Seconds on the processors in the kernel'),
  container_cpu_usage_seconds_total: counter('Seconds on the processors', 'cpu'),
  container_cpu_user_seconds_total: counter('Seconds on the processors outside the kernel'),
  container_file_descriptors: gauge('Files that the processes have open'),
  container_fs_inodes_free: gauge('Inodes that are free on the file system', 'device'),
  container_fs_inodes_total: gauge('Inodes of the file system', 'device'),
  container_fs_limit_bytes: gauge('Size of the file system in bytes', 'device'),
  container_fs_reads_bytes_total: counter('Bytes read from the device', 'device'),
  container_fs_reads_total: counter('Reads from the device', 'device'),
  container_fs_usage_bytes: gauge('Bytes of the writable layer', 'device'),
  container_fs_writes_bytes_total: counter('Bytes written to the device', 'device'),
  container_fs_writes_total: counter('Writes to the device', 'device'),
  container_last_seen: gauge('When the container was looked at, in seconds since the epoch'),
  container_memory_cache: gauge('Page cache in bytes'),
  container_memory_failcnt: counter('How often the memory limit stood in the way'),
  container_memory_failures_total: counter('Page faults', 'failure_type', 'scope'),
  container_memory_kernel_usage: gauge('Memory of the kernel in bytes'),
  container_memory_mapped_file: gauge('Files mapped into memory in bytes'),
  container_memory_max_usage_bytes: gauge('Most memory that was in use at once in bytes'),
  container_memory_rss: gauge('Anonymous memory in bytes'),
  container_memory_swap: gauge('Swap in use in bytes'),
  container_memory_usage_bytes: gauge('Memory in use in bytes, whatever for'),
  container_memory_working_set_bytes: gauge('Memory that cannot be given back at once in bytes'),
  container_network_receive_bytes_total: counter('Bytes received', 'interface'),
  container_network_receive_errors_total: counter('Errors while receiving', 'interface'),
  container_network_receive_packets_dropped_total: counter('Received packets that were dropped', 'interface'),
  container_network_receive_packets_total: counter('Packets received', 'interface'),
  container_network_transmit_bytes_total: counter('Bytes sent', 'interface'),
  container_network_transmit_errors_total: counter('Errors while sending', 'interface'),
  container_network_transmit_packets_dropped_total: counter(
    'Packets to be sent that were dropped',
    'interface',
  ),
  container_network_transmit_packets_total: counter('Packets sent', 'interface'),
  container_oom_events_total: counter('Processes killed for want of memory'),
  container_pressure_cpu_stalled_seconds_total: counter('Seconds in which no task got a processor'),
  container_pressure_cpu_waiting_seconds_total: counter('Seconds in which a task waited for a processor'),
  container_pressure_io_stalled_seconds_total: counter('Seconds in which all tasks waited for devices'),
  container_pressure_io_waiting_seconds_total: counter('Seconds in which a task waited for a device'),
  container_pressure_memory_stalled_seconds_total: counter('Seconds in which all tasks waited for memory'),
  container_pressure_memory_waiting_seconds_total: counter('Seconds in which a task waited for memory'),
  container_processes: gauge('Processes'),
  container_sockets: gauge('Sockets that the processes have open'),
  container_spec_cpu_period: gauge('Period of the processor quota in microseconds'),
  container_spec_cpu_quota: gauge('Processor quota of each period in microseconds'),
  container_spec_cpu_shares: gauge('Weight for the processors'),
  container_spec_memory_limit_bytes: gauge('Memory limit in bytes, 0 for none'),
  container_spec_memory_reservation_limit_bytes: gauge('Memory that is set aside in bytes, 0 for none'),
  container_spec_memory_swap_limit_bytes: gauge('Swap limit in bytes, 0 for none'),
  container_start_time_seconds: gauge('Start in seconds since the epoch'),
  container_threads: gauge('Processes and threads'),
  container_threads_max: gauge('Most processes and threads, 0 for no bound'),
  container_ulimits_soft: gauge('Soft limits of the first process', 'ulimit'),
} as const satisfies Record<string, Family>;

/** A family of metrics. */
export type FamilyName = keyof typeof families;

/** Every family, as CRI describes them. */
export const familyDescriptors: Input<MetricDescriptor>[] = Object.entries(families).map(
  ([name, { help, keys }]) => ({ name, help, labelKeys: [...baseKeys, ...keys] }),
);

/** Samples of one container or pod, read as they are asked for (timestamp 0). */
export class Samples {
  readonly list: Input<Metric>[] = [];
  readonly #base: readonly string[];

  constructor(labels: BaseLabels) {
    this.#base = baseKeys.map((key) => labels[key]);
  }

  /** One sample; `more` are the values of the family's own labels, in their order. */
  add(name: FamilyName, value: number, ...more: string[]): void {
    const { type: metricType } = families[name];
    const labelValues = [...this.#base, ...more];
    this.list.push({ name, timestamp: 0n, metricType, labelValues, value: { value: wholeOf(value) } });
  }
}

/** CRI's numbers are whole and not negative; what has no bound is told as 0, as cAdvisor does. */
const wholeOf = (value: number) =>
  Number.isFinite(value) && value < limitless ? Math.max(0, Math.floor(value)) : 0;
const limitless = 0x7fff_ffff_ffff_f000;

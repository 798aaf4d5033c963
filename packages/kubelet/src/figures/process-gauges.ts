import { readdirSync, readFileSync } from 'node:fs';
import type { Counter, Gauge, MetricsRegistry } from '@wherry/telemetry';

/** What the kubelet's own process takes, under the names that Prometheus' clients have for it. */
export class ProcessGauges {
  readonly #cpu: Counter;
  readonly #resident: Gauge;
  readonly #virtual: Gauge;
  readonly #openFiles: Gauge;
  readonly #filesMax: Gauge;

  constructor(metrics: MetricsRegistry, nowMs: number) {
    this.#cpu = metrics.counter(
      'process_cpu_seconds_total',
      'Seconds of processor time that the process took.',
    );
    this.#resident = metrics.gauge('process_resident_memory_bytes', 'Resident memory of the process.');
    this.#virtual = metrics.gauge('process_virtual_memory_bytes', 'Virtual memory of the process.');
    this.#openFiles = metrics.gauge('process_open_fds', 'Open file descriptors.');
    this.#filesMax = metrics.gauge('process_max_fds', 'File descriptors that may be open.');
    metrics
      .gauge('process_start_time_seconds', 'When the process started, in seconds since 1970.')
      .set(Math.round(nowMs - process.uptime() * 1_000) / 1_000);
  }

  /** Measures anew. What /proc does not say stays as it was. */
  measure(): void {
    const { user, system } = process.cpuUsage();
    const cpuSeconds = (user + system) / 1e6;
    this.#cpu.add(Math.max(0, cpuSeconds - this.#cpu.value()));
    this.#resident.set(process.memoryUsage.rss());
    const pages = numberIn('/proc/self/statm', /^(\d+)/);
    if (pages !== undefined) this.#virtual.set(pages * 4_096);
    const filesMax = numberIn('/proc/self/limits', /^Max open files\s+(\d+)/m);
    if (filesMax !== undefined) this.#filesMax.set(filesMax);
    try {
      this.#openFiles.set(readdirSync('/proc/self/fd').length);
    } catch {}
  }
}

function numberIn(path: string, pattern: RegExp): number | undefined {
  try {
    const [, number] = pattern.exec(readFileSync(path, 'utf8')) ?? [];
    return number === undefined ? undefined : Number(number);
  } catch {
    return undefined;
  }
}

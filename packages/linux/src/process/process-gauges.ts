import { readdirSync, readFileSync } from 'node:fs';
import type { MetricsRegistry } from '@wherry/telemetry';

/**
 * Shows what this process takes, under the names that Prometheus' clients have for it, measured whenever the page is made. What
 * /proc does not say stays as it was. Throws when the names are taken.
 */
export function processGauges(metrics: MetricsRegistry, nowMs: number): void {
  // The first to be shown measures for all.
  const resident = metrics.gauge('process_resident_memory_bytes', 'Resident memory of the process.', measure);
  const cpu = metrics.counter(
    'process_cpu_seconds_total',
    'Seconds of processor time that the process took.',
  );
  const virtual = metrics.gauge('process_virtual_memory_bytes', 'Virtual memory of the process.');
  const openFiles = metrics.gauge('process_open_fds', 'Open file descriptors.');
  const filesMax = metrics.gauge('process_max_fds', 'File descriptors that may be open.');
  metrics
    .gauge('process_start_time_seconds', 'When the process started, in seconds since 1970.')
    .set(Math.round(nowMs - process.uptime() * 1_000) / 1_000);

  function measure(): void {
    const { user, system } = process.cpuUsage();
    cpu.add(Math.max(0, (user + system) / 1e6 - cpu.value()));
    resident.set(process.memoryUsage.rss());
    const pages = numberIn('/proc/self/statm', /^(\d+)/);
    if (pages !== undefined) virtual.set(pages * 4_096);
    const most = numberIn('/proc/self/limits', /^Max open files\s+(\d+)/m);
    if (most !== undefined) filesMax.set(most);
    try {
      openFiles.set(readdirSync('/proc/self/fd').length);
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

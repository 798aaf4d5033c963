import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** What tells of the machine, or could harm it (moby, oci/defaults.go). */
const everywhere: readonly string[] = [
  '/proc/asound',
  '/proc/acpi',
  '/proc/interrupts',
  '/proc/kcore',
  '/proc/keys',
  '/proc/latency_stats',
  '/proc/timer_list',
  '/proc/timer_stats',
  '/proc/sched_debug',
  '/proc/scsi',
  '/sys/firmware',
  '/sys/devices/virtual/powercap',
];

/**
 * Paths that containers do not see: beside those of every machine the folder of each processor that counts how often it was
 * slowed for its heat, where the kernel has one: by it others' work could be watched.
 */
export function readMaskedPaths(cpuFolder = '/sys/devices/system/cpu'): readonly string[] {
  const throttles = namesIn(cpuFolder)
    .filter((name) => /^cpu\d+$/.test(name))
    .map((name) => join(cpuFolder, name, 'thermal_throttle'))
    .filter((path) => statSync(path, { throwIfNoEntry: false }) !== undefined);
  return [...everywhere, ...throttles];
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

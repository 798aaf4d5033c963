import { join } from 'node:path';
import { readGroupFile } from '../cgroup/files.ts';
import type { UnitBounds } from './systemd.ts';

const usPerSecond = 1_000_000;
/** systemd keeps a share of the processor in whole percents. */
const usPerPercent = usPerSecond / 100;

/** systemd's names for what single files of a group say. */
const numberFiles = {
  MemoryMax: 'memory.max',
  MemorySwapMax: 'memory.swap.max',
  MemoryHigh: 'memory.high',
  MemoryLow: 'memory.low',
  MemoryMin: 'memory.min',
  TasksMax: 'pids.max',
} as const;
const listFiles = { AllowedCPUs: 'cpuset.cpus', AllowedMemoryNodes: 'cpuset.mems' } as const;

/**
 * What a group of cgroup v2 is held to by the kernel, as properties of its unit (systemd.resource-control(5)). What has no
 * file there is left out: a controller that is off, a group that is gone.
 */
export function boundsOfGroup(folder: string): UnitBounds {
  const text = (file: string) => readGroupFile(join(folder, file))?.trim();
  const bounds = new Map<string, number | readonly number[]>();
  for (const [name, file] of Object.entries(numberFiles)) {
    const value = text(file);
    if (value) bounds.set(name, numberOf(value));
  }
  for (const [name, file] of Object.entries(listFiles)) {
    const list = text(file);
    if (list) bounds.set(name, maskOf(list));
  }
  const weight = Number(text('cpu.weight') ?? 0);
  // An idle group shows 0, which is no weight.
  if (weight > 0) bounds.set('CPUWeight', weight);
  const [quota, period] = text('cpu.max')?.split(' ') ?? [];
  if (quota !== undefined && period !== undefined) {
    const share = numberOf(quota) / Number(period);
    bounds.set('CPUQuotaPerSecUSec', Math.ceil(share * 100) * usPerPercent);
    if (Number.isFinite(share)) bounds.set('CPUQuotaPeriodUSec', Number(period));
  }
  return Object.fromEntries(bounds);
}

const numberOf = (text: string): number => (text === 'max' ? Number.POSITIVE_INFINITY : Number(text));

/** A list such as `0-3,5` as bits, eight to a byte, the lowest first. */
function maskOf(list: string): number[] {
  const mask: number[] = [];
  for (const range of list.split(',')) {
    const [first = 0, last = first] = range.split('-').map(Number);
    for (let at = first; at <= last; at++) {
      const byte = at >> 3;
      while (mask.length <= byte) mask.push(0);
      mask[byte] = (mask[byte] ?? 0) | (1 << (at & 7));
    }
  }
  return mask;
}

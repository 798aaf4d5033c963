import type { UnitBounds } from '@wherry/linux';
import type { PodBounds } from './pod-group.ts';

const usPerSecond = 1_000_000;
/** systemd keeps a share of the processor in whole percents. */
const usPerPercent = usPerSecond / 100;

/** What a control group is held to, as properties of its slice. */
export function unitBounds(
  { cpuShare, cpuQuotaUs, memoryBytes }: Partial<PodBounds>,
  { isUnified, periodUs }: { isUnified: boolean; periodUs: number },
): UnitBounds {
  return {
    ...(cpuShare !== undefined && { [isUnified ? 'CPUWeight' : 'CPUShares']: cpuShare }),
    ...(cpuQuotaUs !== undefined && {
      CPUQuotaPerSecUSec: Math.ceil((cpuQuotaUs / periodUs) * 100) * usPerPercent,
      CPUQuotaPeriodUSec: periodUs,
    }),
    ...(memoryBytes !== undefined && { [isUnified ? 'MemoryMax' : 'MemoryLimit']: memoryBytes }),
  };
}

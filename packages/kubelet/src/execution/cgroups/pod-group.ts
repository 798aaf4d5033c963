import {
  type CgroupFolders,
  type CgroupLayout,
  groupFilePath,
  readGroupFile,
  writeGroupFile,
} from '@wherry/linux';
import { podLimit, podUnits } from '@wherry/podrules';
import type { AssignedPod } from '../../pod/assigned-pod.ts';
import { cpuQuotaUs, cpuShares } from '../../pod/cpu-shares.ts';
import { pageSizeText, podHugePages } from './huge-pages.ts';

/** What a pod's cgroup is held to. Infinity is no bound, undefined leaves it as it is. */
export interface PodBounds {
  /** As the file of this layout has it: shares, or a weight. */
  cpuShare: number | undefined;
  cpuQuotaUs: number | undefined;
  memoryBytes: number | undefined;
}

/** Numbers from here on are the kernel's way to say that there is no bound. */
const unboundedBytes = 2 ** 62;

/** How processors are held to quotas, and who keeps what is written. */
export interface PodGroupOptions {
  cpuQuotaEnabled: boolean;
  cpuPeriodMs: number;
  /** Whether a container of the pod has processors to itself: the pod is held to no quota then. */
  hasOwnCpus(pod: AssignedPod): boolean;
  /** Is told what was written, so that it stays. */
  keep?: (bounds: PodBounds) => Promise<void>;
}

/** The cgroup of one pod: its bounds can be read and changed one by one while its containers run. */
export class PodGroup {
  readonly #folders: CgroupFolders;
  readonly #isUnified: boolean;
  readonly #periodUs: number;
  readonly #hasQuota: (pod: AssignedPod) => boolean;
  readonly #keep: PodGroupOptions['keep'];

  constructor(folders: CgroupFolders, layout: CgroupLayout, options: PodGroupOptions) {
    this.#folders = folders;
    this.#isUnified = layout.version === 'v2';
    this.#periodUs = options.cpuPeriodMs * 1_000;
    this.#hasQuota = (pod) => options.cpuQuotaEnabled && !options.hasOwnCpus(pod);
    this.#keep = options.keep;
  }

  /** What the pod's cgroup should be held to. */
  wanted(pod: AssignedPod): PodBounds {
    const [cpu, memory] = [podLimit(pod, 'cpu'), podLimit(pod, 'memory')];
    const quotaUs = cpu && this.#hasQuota(pod) ? cpuQuotaUs(Number(cpu.milliValue()), this.#periodUs) : 0;
    return {
      cpuShare: shareOf(this.#isUnified, cpuShares(podUnits(pod, 'requests', 'cpu'))),
      cpuQuotaUs: cpu ? quotaUs || Number.POSITIVE_INFINITY : undefined,
      memoryBytes: memory && Number(memory.value()),
    };
  }

  /** What it is held to; undefined is what can't be read. */
  read(): PodBounds {
    const quota = this.#isUnified ? this.#text('cpu.max')?.split(' ')[0] : this.#text('cpu.cfs_quota_us');
    return {
      cpuShare: numberOf(this.#text(this.#isUnified ? 'cpu.weight' : 'cpu.shares')),
      cpuQuotaUs: numberOf(quota),
      memoryBytes: numberOf(this.#text(this.#isUnified ? 'memory.max' : 'memory.limit_in_bytes')),
    };
  }

  /** Writes what is given of the bounds. Rejects with what the kernel says. */
  async write(bounds: PodBounds): Promise<void> {
    const { cpuShare, cpuQuotaUs: quotaUs, memoryBytes } = bounds;
    if (cpuShare !== undefined) this.#put(this.#isUnified ? 'cpu.weight' : 'cpu.shares', String(cpuShare));
    if (quotaUs !== undefined) {
      const isBounded = Number.isFinite(quotaUs);
      if (this.#isUnified) this.#put('cpu.max', `${isBounded ? quotaUs : 'max'} ${this.#periodUs}`);
      else {
        this.#put('cpu.cfs_period_us', String(this.#periodUs));
        this.#put('cpu.cfs_quota_us', String(isBounded ? quotaUs : -1));
      }
    }
    if (memoryBytes !== undefined)
      this.#put(this.#isUnified ? 'memory.max' : 'memory.limit_in_bytes', String(memoryBytes));
    await this.#keep?.(bounds);
  }

  /** Holds the pod's processes together to the huge pages that it asks for, where the kernel can. */
  holdHugePages(pod: AssignedPod, pageSizes: readonly number[]): void {
    for (const pageBytes of pageSizes) {
      const file = `hugetlb.${pageSizeText(pageBytes)}.${this.#isUnified ? 'max' : 'limit_in_bytes'}`;
      if (this.#text(file) !== undefined) this.#put(file, String(podHugePages(pod, pageBytes)));
    }
  }

  /** Bytes in use by all of the pod's processes together. */
  memoryUsageBytes(): number | undefined {
    return numberOf(this.#text(this.#isUnified ? 'memory.current' : 'memory.usage_in_bytes'));
  }

  #put(file: string, value: string): void {
    writeGroupFile(this.#folders, file, value);
  }

  #text(file: string): string | undefined {
    const path = groupFilePath(this.#folders, file);
    return path === undefined ? undefined : readGroupFile(path)?.trim();
  }
}

/** A share of the processor, 2 to 262144, as the file of this layout has it: 1 to 10000 on cgroup v2. */
export function shareOf(isUnified: boolean, shares: number): number {
  if (!isUnified) return shares;
  return Math.min(10_000, 1 + Math.floor(((shares - 2) * 9_999) / 262_142));
}

function numberOf(text: string | undefined): number | undefined {
  if (text === undefined || text === '') return undefined;
  if (text === 'max') return Number.POSITIVE_INFINITY;
  const value = Number(text);
  return value < 0 || value >= unboundedBytes ? Number.POSITIVE_INFINITY : value;
}

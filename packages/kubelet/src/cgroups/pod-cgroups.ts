import { mkdir } from 'node:fs/promises';
import {
  type CgroupFolders,
  type CgroupLayout,
  createGroup,
  detectCgroups,
  foldersAt,
  killGroup,
  removeGroup,
  writeGroupFile,
} from '@wherry/linux';
import type { Logger } from '@wherry/telemetry';
import type { AssignedPod } from '../pod/assigned-pod.ts';
import { podAmount, qualityOfService } from '../pod/quality-of-service.ts';
import { cpuQuotaUs, cpuShares } from '../runtime/resources.ts';

/** What pod cgroups are made with. */
export interface PodCgroupsOptions {
  /** Cgroup under which `kubepods` stands: `/` or a node's own. */
  root: string;
  driver: 'cgroupfs' | 'systemd';
  cpuQuotaEnabled: boolean;
  cpuPeriodMs: number;
  logger: Logger;
}

/**
 * One cgroup per pod, by upstream's layout: `kubepods/pod<uid>`, `kubepods/burstable/pod<uid>`,
 * `kubepods/besteffort/pod<uid>`. Where cgroups can't be written, pods run without one, which is said once.
 */
export class PodCgroups {
  readonly #options: PodCgroupsOptions;
  readonly #layout: CgroupLayout | undefined;
  readonly #made = new Map<string, string>();
  readonly #isUsable: boolean;

  /** Makes the cgroups that stand above all pods. */
  constructor(options: PodCgroupsOptions) {
    this.#options = options;
    this.#layout = findLayout();
    this.#isUsable =
      this.#layout !== undefined && options.driver === 'cgroupfs' && this.#makeClasses(this.#layout);
  }

  /** Where the pod's containers belong; '' where the kubelet makes no cgroups. */
  parentOf(pod: AssignedPod): string {
    if (this.#options.driver === 'systemd') return systemdSlice(pod);
    return this.#isUsable ? this.pathOf(pod) : '';
  }

  /**
   * Makes the pod's cgroup and writes its sums. The folders are made off the main thread: on cgroup v1 there are a dozen,
   * and each takes the kernel most of a millisecond. Throws when the limits can't be written.
   */
  async ensure(pod: AssignedPod): Promise<void> {
    if (!this.#isUsable || !this.#layout) return;
    const path = this.pathOf(pod);
    if (this.#made.get(pod.metadata.uid) === path) return;
    const folders = foldersAt(this.#layout, path);
    const paths = new Set([...folders.controllers.values(), ...(folders.unified ? [folders.unified] : [])]);
    await Promise.all([...paths].map((folder) => mkdir(folder, { recursive: true })));
    createGroup(folders);
    this.#limit(folders, pod);
    this.#made.set(pod.metadata.uid, path);
  }

  /** The pod's cgroup below the mount points. */
  pathOf(pod: AssignedPod): string {
    const quality = qualityOfService(pod);
    const parent = quality === 'Guaranteed' ? '' : `/${quality.toLowerCase()}`;
    return `${this.#top}${parent}/pod${pod.metadata.uid}`;
  }

  get #top(): string {
    return `${this.#options.root.replace(/\/$/, '')}/kubepods`;
  }

  /** False, said once, when this process may not make cgroups. */
  #makeClasses(layout: CgroupLayout): boolean {
    const path = this.#top;
    try {
      for (const below of ['', '/burstable', '/besteffort']) createGroup(foldersAt(layout, path + below));
      const [file, least] = layout.version === 'v2' ? ['cpu.weight', '1'] : ['cpu.shares', '2'];
      writeGroupFile(foldersAt(layout, `${path}/besteffort`), file, least);
      return true;
    } catch (error) {
      const message = 'pod cgroups can not be made; pods run without their sums enforced';
      this.#options.logger.warn(message, { path, error });
      return false;
    }
  }

  /** Removes the pod's cgroup and ends what is left in it. Throws when processes do not go. */
  remove(pod: AssignedPod): void {
    if (!this.#layout || this.#options.driver === 'systemd') return;
    const folders = foldersAt(this.#layout, this.pathOf(pod));
    killGroup(folders);
    removeGroup(folders);
    this.#made.delete(pod.metadata.uid);
  }

  #limit(folders: CgroupFolders, pod: AssignedPod): void {
    const { cpuQuotaEnabled, cpuPeriodMs } = this.#options;
    const milli = (kind: 'requests' | 'limits') => Math.ceil(podAmount(pod, kind, 'cpu') * 1_000);
    const shares = cpuShares(milli('requests'));
    const periodUs = cpuPeriodMs * 1_000;
    const quotaUs =
      everyContainerHas(pod, 'cpu') && cpuQuotaEnabled ? cpuQuotaUs(milli('limits'), periodUs) : 0;
    const memoryBytes = everyContainerHas(pod, 'memory') ? podAmount(pod, 'limits', 'memory') : 0;
    const isUnified = this.#layout?.version === 'v2';
    const files = isUnified
      ? unifiedFiles(shares, quotaUs, periodUs, memoryBytes)
      : splitFiles(shares, quotaUs, periodUs, memoryBytes);
    for (const [file, value] of files) writeGroupFile(folders, file, value);
  }
}

function findLayout(): CgroupLayout | undefined {
  try {
    return detectCgroups();
  } catch {
    return undefined;
  }
}

function everyContainerHas(pod: AssignedPod, resource: string): boolean {
  return pod.spec.containers.every(({ resources }) => resources?.limits?.[resource] !== undefined);
}

function unifiedFiles(
  shares: number,
  quotaUs: number,
  periodUs: number,
  memoryBytes: number,
): [string, string][] {
  const weight = 1 + Math.floor(((shares - 2) * 9_999) / 262_142);
  return [
    ['cpu.weight', String(Math.min(10_000, weight))],
    ...(quotaUs > 0 ? ([['cpu.max', `${quotaUs} ${periodUs}`]] as [string, string][]) : []),
    ...(memoryBytes > 0 ? ([['memory.max', String(memoryBytes)]] as [string, string][]) : []),
  ];
}

function splitFiles(
  shares: number,
  quotaUs: number,
  periodUs: number,
  memoryBytes: number,
): [string, string][] {
  const quota: [string, string][] = [
    ['cpu.cfs_period_us', String(periodUs)],
    ['cpu.cfs_quota_us', String(quotaUs)],
  ];
  return [
    ['cpu.shares', String(shares)],
    ...(quotaUs > 0 ? quota : []),
    ...(memoryBytes > 0 ? ([['memory.limit_in_bytes', String(memoryBytes)]] as [string, string][]) : []),
  ];
}

function systemdSlice(pod: AssignedPod): string {
  const quality = qualityOfService(pod).toLowerCase();
  const uid = pod.metadata.uid.replaceAll('-', '_');
  if (quality === 'guaranteed') return `/kubepods.slice/kubepods-pod${uid}.slice`;
  return `/kubepods.slice/kubepods-${quality}.slice/kubepods-${quality}-pod${uid}.slice`;
}

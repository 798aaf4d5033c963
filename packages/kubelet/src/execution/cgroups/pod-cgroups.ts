import { mkdir } from 'node:fs/promises';
import type { Clock } from '@wherry/clock';
import {
  type CgroupFolders,
  type CgroupLayout,
  createGroup,
  detectCgroups,
  foldersAt,
  groupsIn,
  killGroup,
  removeGroup,
  writeGroupFile,
} from '@wherry/linux';
import { podUnits, qualityOfService } from '@wherry/podrules';
import type { Histogram, Logger } from '@wherry/telemetry';
import type { GroupLimits } from '../../ground/node-capacity.ts';
import type { AssignedPod } from '../../pod/assigned-pod.ts';
import { cpuShares } from '../../pod/cpu-shares.ts';
import type { SwapRules } from '../../pod/swap.ts';
import { PodGroup, type PodGroupOptions, shareOf } from './pod-group.ts';

/** What pod cgroups are made with. */
export interface PodCgroupsOptions extends PodGroupOptions {
  /** Cgroup under which `kubepods` stands: `/` or a node's own. */
  root: string;
  driver: 'cgroupfs' | 'systemd';
  /** Processes and threads that one pod may have; below 1 for no bound. */
  podPidsLimit: number;
  /** What all pods together are held to. */
  forAllPods: GroupLimits;
  /** On cgroup v2 what does not swap is kept from it all at once, unless some pods may. */
  swap: Pick<SwapRules, 'cgroupVersion' | 'isLimited'>;
  logger: Logger;
  clock: Pick<Clock, 'monotonicMs'>;
  /** How long it takes to make, change and remove cgroups. */
  duration: Histogram;
  /** Pods that run or are about to: the Burstable class weighs what they ask for together. */
  activePods(): Iterable<AssignedPod>;
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
  #burstableShares = 0;
  #holdsAllPods = false;

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

  /** Where cgroups are found; undefined where there are none. */
  get layout(): CgroupLayout | undefined {
    return this.#layout;
  }

  /** The cgroup above all pods. */
  get top(): string {
    return this.#options.driver === 'systemd' ? '/kubepods.slice' : this.#top;
  }

  /**
   * Makes the pod's cgroup and writes its sums. The folders are made off the main thread: on cgroup v1 there are a dozen,
   * and each takes the kernel most of a millisecond. Throws when the limits can't be written.
   */
  async ensure(pod: AssignedPod): Promise<void> {
    if (!this.#isUsable || !this.#layout) return;
    const path = this.pathOf(pod);
    this.#limitAllPods(this.#layout);
    if (this.#made.get(pod.metadata.uid) === path) return;
    const startedMs = this.#options.clock.monotonicMs();
    const folders = foldersAt(this.#layout, path);
    const paths = new Set([...folders.controllers.values(), ...(folders.unified ? [folders.unified] : [])]);
    await Promise.all([...paths].map((folder) => mkdir(folder, { recursive: true })));
    createGroup(folders);
    this.#limit(folders, pod);
    this.#made.set(pod.metadata.uid, path);
    this.#took(startedMs, 'create');
    this.weighClasses();
  }

  /** The pod's cgroup, to change what it is held to; undefined where the kubelet makes none. */
  groupOf(pod: AssignedPod): PodGroup | undefined {
    if (!this.#isUsable || !this.#layout) return undefined;
    return new PodGroup(foldersAt(this.#layout, this.pathOf(pod)), this.#layout, this.#options);
  }

  /** Gives the Burstable class the weight of what its pods ask for; a change alone is written. Throws when it can't be. */
  weighClasses(): void {
    if (!this.#isUsable || !this.#layout) return;
    let milliCpu = 0;
    for (const pod of this.#options.activePods()) {
      if (qualityOfService(pod) === 'Burstable') milliCpu += podUnits(pod, 'requests', 'cpu');
    }
    const shares = cpuShares(milliCpu);
    if (shares === this.#burstableShares) return;
    const startedMs = this.#options.clock.monotonicMs();
    this.#weigh(this.#layout, 'burstable', shares);
    this.#took(startedMs, 'update');
    this.#burstableShares = shares;
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
      this.#weigh(layout, 'besteffort', cpuShares(0));
      return true;
    } catch (error) {
      const message = 'pod cgroups can not be made; pods run without their sums enforced';
      this.#options.logger.warn(message, { path, error });
      return false;
    }
  }

  /** Memory in use may be above a limit that is new: then it is tried again with the next pod. */
  #limitAllPods(layout: CgroupLayout): void {
    if (this.#holdsAllPods) return;
    const { milliCpu, memoryBytes } = this.#options.forAllPods;
    const folders = foldersAt(layout, this.#top);
    try {
      const [file, value] = weightFile(layout, cpuShares(milliCpu));
      writeGroupFile(folders, file, value);
      if (memoryBytes !== undefined) writeGroupFile(folders, memoryFile(layout), String(memoryBytes));
      const { cgroupVersion, isLimited } = this.#options.swap;
      if (cgroupVersion === 'v2') writeGroupFile(folders, 'memory.swap.max', isLimited ? 'max' : '0');
      this.#holdsAllPods = true;
    } catch (error) {
      const message =
        'pods together can not be held to what the node has to give; tried again with the next pod';
      this.#options.logger.warn(message, { path: this.#top, milliCpu, memoryBytes, error });
    }
  }

  #weigh(layout: CgroupLayout, quality: string, shares: number): void {
    const [file, value] = weightFile(layout, shares);
    writeGroupFile(foldersAt(layout, `${this.#top}/${quality}`), file, value);
  }

  /** Removes the pod's cgroup and ends what is left in it. Throws when processes do not go. */
  remove(pod: AssignedPod): void {
    if (!this.#layout || this.#options.driver === 'systemd') return;
    this.#removeAt(this.#layout, this.pathOf(pod));
    this.#made.delete(pod.metadata.uid);
  }

  /**
   * Removes the cgroups of pods that are gone, whatever their class was: a kubelet that was killed, or away while its pods
   * were deleted, knows of them only what the tree shows. Throws when processes do not go.
   */
  removeStrays(isGone: (uid: string) => boolean): void {
    if (!this.#isUsable || !this.#layout) return;
    for (const parent of [this.#top, `${this.#top}/burstable`, `${this.#top}/besteffort`]) {
      for (const name of groupsIn(foldersAt(this.#layout, parent))) {
        const [, uid] = /^pod(.+)$/.exec(name) ?? [];
        if (uid !== undefined && isGone(uid)) this.#removeAt(this.#layout, `${parent}/${name}`);
      }
    }
  }

  #removeAt(layout: CgroupLayout, path: string): void {
    const startedMs = this.#options.clock.monotonicMs();
    const folders = foldersAt(layout, path);
    killGroup(folders);
    removeGroup(folders);
    this.#took(startedMs, 'destroy');
  }

  #took(startedMs: number, operation: 'create' | 'update' | 'destroy'): void {
    const { clock, duration } = this.#options;
    duration.observe((clock.monotonicMs() - startedMs) / 1_000, { operation_type: operation });
  }

  #limit(folders: CgroupFolders, pod: AssignedPod): void {
    if (!this.#layout) return;
    const group = new PodGroup(folders, this.#layout, this.#options);
    group.write(group.wanted(pod));
    const { podPidsLimit } = this.#options;
    if (podPidsLimit > 0) writeGroupFile(folders, 'pids.max', String(podPidsLimit));
  }
}

function findLayout(): CgroupLayout | undefined {
  try {
    return detectCgroups();
  } catch {
    return undefined;
  }
}

/** The file of a share of the processor, and what it says. */
function weightFile({ version }: CgroupLayout, shares: number): [string, string] {
  const isUnified = version === 'v2';
  return [isUnified ? 'cpu.weight' : 'cpu.shares', String(shareOf(isUnified, shares))];
}

const memoryFile = ({ version }: CgroupLayout) => (version === 'v2' ? 'memory.max' : 'memory.limit_in_bytes');

function systemdSlice(pod: AssignedPod): string {
  const quality = qualityOfService(pod).toLowerCase();
  const uid = pod.metadata.uid.replaceAll('-', '_');
  if (quality === 'guaranteed') return `/kubepods.slice/kubepods-pod${uid}.slice`;
  return `/kubepods.slice/kubepods-${quality}.slice/kubepods-${quality}-pod${uid}.slice`;
}

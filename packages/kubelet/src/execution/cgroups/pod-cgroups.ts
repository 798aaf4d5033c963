import { existsSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { posix } from 'node:path';
import type { Clock } from '@wherry/clock';
import {
  type CgroupLayout,
  createGroup,
  detectCgroups,
  foldersAt,
  foldersOf,
  groupsIn,
  killGroup,
  removeGroup,
  Systemd,
  type UnitBounds,
  writeGroupFile,
} from '@wherry/linux';
import { podUnits, qualityOfService } from '@wherry/podrules';
import type { Histogram, Logger } from '@wherry/telemetry';
import type { GroupLimits } from '../../ground/node-capacity.ts';
import type { AssignedPod } from '../../pod/assigned-pod.ts';
import { cpuShares } from '../../pod/cpu-shares.ts';
import { type GroupPlace, groupPath, podOfGroup } from '../../pod/group-path.ts';
import type { SwapRules } from '../../pod/swap.ts';
import { type EventRecorder, nodeEvents } from '../../reporting/events/recorder.ts';
import { memoryFile, weightFile } from './group-files.ts';
import { type PodBounds, PodGroup, type PodGroupOptions, shareOf } from './pod-group.ts';
import { unitBounds } from './unit-bounds.ts';

const { basename } = posix;

/** What pod cgroups are made with. */
export interface PodCgroupsOptions extends Omit<PodGroupOptions, 'keep'> {
  /** Where `kubepods` stands, and who makes it: this kubelet, or systemd as a slice. */
  place: GroupPlace;
  /** Who makes slices. Default: the machine's. */
  systemd?: Pick<Systemd, 'startSlice' | 'setBounds' | 'stop'>;
  /** Processes and threads that one pod may have; below 1 for no bound. */
  podPidsLimit: number;
  /** Bytes of each size of huge pages that the machine knows. */
  hugePageSizes: readonly number[];
  /** What all pods together are held to. */
  forAllPods: GroupLimits;
  /** On cgroup v2 what does not swap is kept from it all at once, unless some pods may. */
  swap: Pick<SwapRules, 'cgroupVersion' | 'isLimited'>;
  logger: Logger;
  recorder: EventRecorder;
  nodeName: string;
  clock: Clock;
  /** How long it takes to make, change and remove cgroups. */
  duration: Histogram;
  /** Pods that run or are about to: the Burstable class weighs what they ask for together. */
  activePods(): Iterable<AssignedPod>;
}

/**
 * One cgroup per pod, by upstream's layout: `kubepods/pod<uid>`, `kubepods/burstable/pod<uid>`,
 * `kubepods/besteffort/pod<uid>`, or slices of the same names. Where they are this kubelet's and can't be written, pods run
 * without one, which is said once. systemd is told all that is written, since it writes it again when it pleases.
 */
export class PodCgroups {
  readonly #options: PodCgroupsOptions;
  readonly #layout: CgroupLayout | undefined;
  readonly #made = new Map<string, string>();
  #usable: boolean | undefined;
  #ownSystemd: Systemd | undefined;
  /** systemd has the classes; undefined until a pod wants one. */
  #slices: Promise<void> | undefined;
  #burstableShares = 0;
  #holdsAllPods = false;

  /** Nothing is made yet: the first pod decides, also by whom. */
  constructor(options: PodCgroupsOptions) {
    this.#options = options;
    this.#layout = findLayout();
  }

  /** Lets go of systemd; groups stay. */
  close(): void {
    this.#ownSystemd?.close();
    this.#ownSystemd = undefined;
  }

  /** Where the pod's containers belong; '' where the kubelet makes no cgroups. */
  parentOf(pod: AssignedPod): string {
    return this.#isUsable ? this.pathOf(pod) : '';
  }

  /** Where cgroups are found; undefined where there are none. */
  get layout(): CgroupLayout | undefined {
    return this.#layout;
  }

  /** The cgroup above all pods. */
  get top(): string {
    return groupPath(this.#options.place);
  }

  /**
   * Makes the pod's cgroup and writes its sums. The folders are made off the main thread: on cgroup v1 there are a dozen,
   * and each takes the kernel most of a millisecond. Throws when the limits can't be written.
   */
  async ensure(pod: AssignedPod): Promise<void> {
    if (!this.#isUsable || !this.#layout) return;
    const path = this.pathOf(pod);
    await this.#haveSlices(this.#layout);
    await this.#limitAllPods(this.#layout);
    if (this.#made.get(pod.metadata.uid) === path) return;
    const { clock, podPidsLimit, hugePageSizes } = this.#options;
    const startedMs = clock.monotonicMs();
    const folders = foldersAt(this.#layout, path);
    const group = this.#groupAt(path, this.#layout);
    const processes: UnitBounds = podPidsLimit > 0 ? { TasksMax: podPidsLimit } : {};
    await this.#systemd?.startSlice(basename(path), processes);
    await Promise.all(foldersOf(folders).map((folder) => mkdir(folder, { recursive: true })));
    createGroup(folders);
    await group.write(group.wanted(pod));
    if (podPidsLimit > 0) writeGroupFile(folders, 'pids.max', String(podPidsLimit));
    group.holdHugePages(pod, hugePageSizes);
    this.#made.set(pod.metadata.uid, path);
    this.#took(startedMs, 'create');
    await this.weighClasses();
  }

  /** The pod's cgroup, to change what it is held to; undefined where the kubelet makes none. */
  groupOf(pod: AssignedPod): PodGroup | undefined {
    if (!this.#isUsable || !this.#layout) return undefined;
    return this.#groupAt(this.pathOf(pod), this.#layout);
  }

  /** Gives the Burstable class the weight of what its pods ask for; a change alone is written. Throws when it can't be. */
  async weighClasses(): Promise<void> {
    if (!this.#isUsable || !this.#layout || (this.#systemd && !this.#slices)) return;
    let milliCpu = 0;
    for (const pod of this.#options.activePods()) {
      if (qualityOfService(pod) === 'Burstable') milliCpu += podUnits(pod, 'requests', 'cpu');
    }
    const shares = cpuShares(milliCpu);
    if (shares === this.#burstableShares) return;
    const startedMs = this.#options.clock.monotonicMs();
    this.#burstableShares = shares;
    try {
      await this.#haveSlices(this.#layout);
      this.#weigh(this.#layout, 'burstable', shares);
      await this.#keep(this.#classPath('burstable'), { cpuShare: this.#shareOf(shares) });
    } catch (error) {
      this.#burstableShares = 0;
      throw error;
    }
    this.#took(startedMs, 'update');
  }

  /** The pod's cgroup below the mount points. */
  pathOf(pod: AssignedPod): string {
    const quality = qualityOfService(pod);
    const classes = quality === 'Guaranteed' ? [] : [quality.toLowerCase()];
    return groupPath(this.#options.place, ...classes, `pod${pod.metadata.uid}`);
  }

  /** Whether pods get groups. The first question makes those that stand above all pods; slices are made with the first pod. */
  get #isUsable(): boolean {
    this.#usable ??= this.#layout !== undefined && (this.#usesSystemd || this.#makeClasses(this.#layout));
    return this.#usable;
  }

  get #usesSystemd(): boolean {
    return this.#options.place.cgroupDriver === 'systemd';
  }

  get #systemd(): PodCgroupsOptions['systemd'] {
    if (!this.#usesSystemd) return undefined;
    const { systemd, clock } = this.#options;
    if (systemd) return systemd;
    this.#ownSystemd ??= new Systemd({ clock });
    return this.#ownSystemd;
  }

  #classPath(name: 'burstable' | 'besteffort'): string {
    return groupPath(this.#options.place, name);
  }

  #groupAt(path: string, layout: CgroupLayout): PodGroup {
    const keep = (bounds: PodBounds) => this.#keep(path, bounds);
    return new PodGroup(foldersAt(layout, path), layout, { ...this.#options, keep });
  }

  /** False, said once, when this process may not make cgroups. */
  #makeClasses(layout: CgroupLayout): boolean {
    try {
      this.#makeClassGroups(layout);
      return true;
    } catch (error) {
      const message = 'pod cgroups can not be made; pods run without their sums enforced';
      this.#options.logger.warn(message, { path: this.top, error });
      return false;
    }
  }

  #makeClassGroups(layout: CgroupLayout): void {
    for (const path of [this.top, this.#classPath('burstable'), this.#classPath('besteffort')])
      createGroup(foldersAt(layout, path));
    this.#weigh(layout, 'besteffort', cpuShares(0));
  }

  /** Has systemd make the classes, once; after a failure the next pod tries again. */
  async #haveSlices(layout: CgroupLayout): Promise<void> {
    if (!this.#systemd) return;
    this.#slices ??= this.#makeSlices(this.#systemd, layout);
    try {
      await this.#slices;
    } catch (error) {
      this.#slices = undefined;
      throw error;
    }
  }

  async #makeSlices(systemd: NonNullable<PodCgroupsOptions['systemd']>, layout: CgroupLayout): Promise<void> {
    await systemd.startSlice(basename(this.top), {});
    await systemd.startSlice(basename(this.#classPath('burstable')), {});
    const least = this.#unitBounds({ cpuShare: this.#shareOf(cpuShares(0)) });
    await systemd.startSlice(basename(this.#classPath('besteffort')), least);
    this.#makeClassGroups(layout);
  }

  /** Memory in use may be above a limit that is new: then it is tried again with the next pod. */
  async #limitAllPods(layout: CgroupLayout): Promise<void> {
    if (this.#holdsAllPods) return;
    this.#holdsAllPods = true;
    const { milliCpu, memoryBytes, processes } = this.#options.forAllPods;
    const folders = foldersAt(layout, this.top);
    try {
      const [file, value] = weightFile(layout, cpuShares(milliCpu));
      writeGroupFile(folders, file, value);
      if (memoryBytes !== undefined) writeGroupFile(folders, memoryFile(layout), String(memoryBytes));
      if (processes !== undefined) writeGroupFile(folders, 'pids.max', String(processes));
      const { cgroupVersion, isLimited } = this.#options.swap;
      const isUnified = cgroupVersion === 'v2';
      if (isUnified) writeGroupFile(folders, 'memory.swap.max', isLimited ? 'max' : '0');
      const bounds = { cpuShare: this.#shareOf(cpuShares(milliCpu)), memoryBytes };
      await this.#keep(this.top, bounds, {
        ...(processes !== undefined && { TasksMax: processes }),
        ...(isUnified && { MemorySwapMax: isLimited ? Number.POSITIVE_INFINITY : 0 }),
      });
      this.#events.normal('NodeAllocatableEnforced', 'Updated Node Allocatable limit across pods');
    } catch (error) {
      this.#holdsAllPods = false;
      const message =
        'pods together can not be held to what the node has to give; tried again with the next pod';
      this.#options.logger.warn(message, { path: this.top, milliCpu, memoryBytes, processes, error });
      const told = `Failed to update Node Allocatable Limits "${this.top}": ${(error as Error).message}`;
      this.#events.warn('FailedNodeAllocatableEnforcement', told);
    }
  }

  get #events() {
    return nodeEvents(this.#options.recorder, this.#options.nodeName);
  }

  #weigh(layout: CgroupLayout, quality: 'burstable' | 'besteffort', shares: number): void {
    const [file, value] = weightFile(layout, shares);
    writeGroupFile(foldersAt(layout, this.#classPath(quality)), file, value);
  }

  /** Removes the pod's cgroup and ends what is left in it. Throws when processes do not go. */
  async remove(pod: AssignedPod): Promise<void> {
    if (!this.#layout) return;
    await this.#removeAt(this.#layout, this.pathOf(pod));
    this.#made.delete(pod.metadata.uid);
  }

  /**
   * Removes the cgroups of pods that are gone, whatever their class was: a kubelet that was killed, or away while its pods
   * were deleted, knows of them only what the tree shows. Throws when processes do not go.
   */
  async removeStrays(isGone: (uid: string) => boolean): Promise<void> {
    if (!this.#isUsable || !this.#layout) return;
    const { cgroupDriver } = this.#options.place;
    for (const parent of [this.top, this.#classPath('burstable'), this.#classPath('besteffort')]) {
      for (const name of groupsIn(foldersAt(this.#layout, parent))) {
        const uid = podOfGroup(cgroupDriver, name);
        if (uid !== undefined && isGone(uid)) await this.#removeAt(this.#layout, `${parent}/${name}`);
      }
    }
  }

  async #removeAt(layout: CgroupLayout, path: string): Promise<void> {
    const startedMs = this.#options.clock.monotonicMs();
    const folders = foldersAt(layout, path);
    killGroup(folders);
    // What was never made does not keep a pod from going where systemd does not answer.
    if (foldersOf(folders).some((folder) => existsSync(folder))) await this.#systemd?.stop(basename(path));
    removeGroup(folders);
    this.#took(startedMs, 'destroy');
  }

  #took(startedMs: number, operation: 'create' | 'update' | 'destroy'): void {
    const { clock, duration } = this.#options;
    duration.observe((clock.monotonicMs() - startedMs) / 1_000, { operation_type: operation });
  }

  /** Tells systemd what a group's files say now. */
  async #keep(path: string, bounds: Partial<PodBounds>, more: UnitBounds = {}): Promise<void> {
    await this.#systemd?.setBounds(basename(path), { ...this.#unitBounds(bounds), ...more });
  }

  #unitBounds(bounds: Partial<PodBounds>): UnitBounds {
    const isUnified = this.#layout?.version === 'v2';
    return unitBounds(bounds, { isUnified, periodUs: this.#options.cpuPeriodMs * 1_000 });
  }

  #shareOf(shares: number): number {
    return shareOf(this.#layout?.version === 'v2', shares);
  }
}

function findLayout(): CgroupLayout | undefined {
  try {
    return detectCgroups();
  } catch {
    return undefined;
  }
}

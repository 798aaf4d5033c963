import { join } from 'node:path';
import { setImmediate as otherWork } from 'node:timers/promises';
import { orAborted } from '@wherry/bytes';
import { deadline } from '@wherry/clock';
import type { TreeUsage } from '@wherry/linux';
import { bootedAtMs } from '../ground/machine-info.ts';
import { figuresAgeMs, volumeFiguresWaitMs } from '../limits.ts';
import { logUsage } from '../logs/log-usage.ts';
import type { Rooms } from '../rooms.ts';
import { cadvisorPage } from './cadvisor/cadvisor-page.ts';
import { claimPage } from './claim-page.ts';
import { logPage, type PodLogs } from './log-page.ts';
import { type FilesystemFigures, filesystemOf, type NodeFigures, NodeMeter } from './node-figures.ts';
import { type PodFigures, readPodFigures } from './pod-figures.ts';
import { groupFigures, type PodGroupFigures, podGroupFigures } from './pod-groups.ts';
import { Recent } from './recent.ts';
import { resourcePage } from './resource-page.ts';
import { nodeSummary } from './summary/node-summary.ts';
import { type PodDisk, podSummary } from './summary/pod-summary.ts';
import { SystemContainers } from './summary/system-containers.ts';

/**
 * What the node and its pods take, for those who ask the kubelet's server. Nothing is read while nobody asks; what was read is
 * shared by all who ask within {@link figuresAgeMs}, and control groups are read pod by pod, so that nothing else waits.
 */
export class Figures {
  readonly #rooms: Rooms;
  readonly #meter: NodeMeter;
  readonly #systemContainers: SystemContainers;
  readonly #node: Recent<NodeFigures>;
  readonly #pods: Recent<PodFigures[]>;
  readonly #cadvisor: Recent<string>;
  readonly #logs: Recent<string>;

  constructor(rooms: Rooms) {
    const { clock, systemGroups } = rooms.ground;
    const { layout, top } = rooms.execution.cgroups;
    const ageMs = figuresAgeMs;
    this.#rooms = rooms;
    this.#meter = new NodeMeter(clock);
    this.#systemContainers = new SystemContainers({ clock, layout, groups: { ...systemGroups, pods: top } });
    this.#node = new Recent({ clock, ageMs, find: () => this.#meter.read() });
    // A pod that has begun, or is over, is told so to whoever asks next.
    const ofPods = { clock, ageMs, changes: () => rooms.observation.cache.changes };
    this.#pods = new Recent({ ...ofPods, find: () => readPodFigures(rooms) });
    this.#logs = new Recent({ ...ofPods, find: () => this.#readLogs() });
    this.#cadvisor = new Recent({ ...ofPods, find: () => this.#readCadvisor() });
  }

  /** `/stats/summary`. Throws CriError. */
  async summary(onlyCpuAndMemory: boolean): Promise<object> {
    const { ground } = this.#rooms;
    const [figures, pods, bootMs] = await Promise.all([this.#node.get(), this.#pods.get(), bootedAtMs()]);
    const disk = onlyCpuAndMemory ? undefined : await this.#disk(pods);
    const time = new Date(figures.atMs).toISOString();
    const node = nodeSummary({
      ...{ nodeName: ground.nodeName, bootedAtMs: bootMs ?? 0, figures },
      systemContainers: this.#systemContainers,
      ...{ filesystem: disk?.node, images: disk?.images, imageUsage: disk?.imageUsage, onlyCpuAndMemory },
    });
    const summaries = pods.map(async (pod) => podSummary(pod, time, disk && (await this.#diskOf(pod, disk))));
    return { node, pods: await Promise.all(summaries) };
  }

  /** `/metrics/resource`. */
  async resource(): Promise<string> {
    return resourcePage(await this.#node.get(), await this.#pods.get().catch(() => undefined));
  }

  /** `/metrics/cadvisor`. Throws CriError. */
  cadvisor(): Promise<string> {
    return this.#cadvisor.get();
  }

  /** What `/metrics` tells of claims beside what is counted all the time. Nothing without an answer of the runtime. */
  async claims(): Promise<string> {
    const [pods, node] = await Promise.all([
      this.#pods.get().catch(() => []),
      filesystemOf(this.#rooms.ground.rootDir).catch(() => undefined),
    ]);
    const ofPods = pods.map(async (pod) => ({ pod, mounted: await this.#mounted(pod, node?.device) }));
    return claimPage(await Promise.all(ofPods));
  }

  /** What `/metrics` tells of logs. Nothing without an answer of the runtime. */
  logs(): Promise<string> {
    return this.#logs.get();
  }

  async #readLogs(): Promise<string> {
    const found: PodLogs[] = [];
    for (const figures of await this.#pods.get().catch(() => [])) {
      const usages = this.#logUsages(figures);
      found.push({ pod: figures, bytes: new Map(usages.map(([name, { bytes }]) => [name, bytes])) });
      await otherWork();
    }
    return logPage(found);
  }

  #logUsages({ pod, containers }: PodFigures): [name: string, usage: TreeUsage][] {
    const folder = pod && this.#rooms.ground.paths.podLogDir(pod);
    return containers.map(({ name }) => [
      name,
      folder ? logUsage(join(folder, name, '0.log')) : { bytes: 0, inodes: 0 },
    ]);
  }

  async #readCadvisor(): Promise<string> {
    const { ground, execution } = this.#rooms;
    const { layout, top } = execution.cgroups;
    const [node, pods, disk] = await Promise.all([
      this.#node.get(),
      this.#pods.get(),
      filesystemOf(ground.rootDir).catch(() => undefined),
    ]);
    const groups = new Map<string, PodGroupFigures>();
    const { images } = await this.#imageFilesystem();
    for (const { uid, pod, containers } of pods) {
      if (!layout || !pod) continue;
      const path = execution.cgroups.parentOf(pod);
      const found =
        path &&
        podGroupFigures(
          layout,
          path,
          containers.map(({ id }) => id),
        );
      if (found) groups.set(uid, found);
      await otherWork();
    }
    const all = layout && groupFigures(layout, top);
    return cadvisorPage({ machine: ground.machine, node, filesystem: disk, images, all, pods, groups });
  }

  async #disk(pods: readonly PodFigures[]) {
    const { ground, execution } = this.#rooms;
    const { clock } = ground;
    const wait = deadline({ clock, timeoutMs: volumeFiguresWaitMs, what: 'the sizes of volumes' });
    const wanted = pods.flatMap(({ pod }) => pod ?? []);
    try {
      const measured = execution.disk.measure(wanted, new AbortController().signal);
      const [node, images] = await Promise.all([
        filesystemOf(ground.rootDir).catch(() => undefined),
        this.#imageFilesystem(),
        orAborted(measured, wait.signal).catch(() => {}),
      ]);
      return { node, ...images };
    } finally {
      wait.cleanup();
    }
  }

  async #imageFilesystem() {
    const answer = await this.#rooms.ground.cri.images.imageFsInfo({}).catch(() => undefined);
    const [first] = answer?.imageFilesystems ?? [];
    const folder = first?.fsId?.mountpoint;
    return {
      images: folder ? await filesystemOf(folder).catch(() => undefined) : undefined,
      imageUsage: first && { bytes: first.usedBytes?.value ?? 0, inodes: first.inodesUsed?.value ?? 0 },
    };
  }

  async #diskOf(figures: PodFigures, disk: Pick<PodDisk, 'node' | 'images'>): Promise<PodDisk> {
    const { execution } = this.#rooms;
    return {
      ...{ node: disk.node, images: disk.images, logs: new Map(this.#logUsages(figures)) },
      figures: execution.disk.of(figures.uid),
      mounted: await this.#mounted(figures, disk.node?.device),
    };
  }

  /** What drivers say of their volumes; the file systems of local ones, and of the others below the pod's own folder those on another device than the node's. */
  async #mounted(
    { uid }: PodFigures,
    nodeDevice: string | undefined,
  ): Promise<Map<string, FilesystemFigures>> {
    const { ground, execution } = this.#rooms;
    const below = `${ground.paths.podDir(uid)}/`;
    const found = new Map<string, FilesystemFigures>();
    for (const [name, { hostPath: path, isDevice, isMeasured }] of execution.volumes.placesOf(uid)) {
      const told = await execution.csi.figuresOf(uid, path);
      if (told) found.set(name, { ...told, device: name });
      if (told || isDevice || !(isMeasured || path.startsWith(below))) continue;
      const filesystem = await filesystemOf(path).catch(() => undefined);
      if (filesystem && (isMeasured || filesystem.device !== nodeDevice)) found.set(name, filesystem);
    }
    return found;
  }
}

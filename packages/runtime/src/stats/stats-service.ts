import type {
  ContainerStats,
  ContainerStatsFilter,
  CpuUsage,
  Input,
  MemoryUsage,
  PodSandboxStats,
  PodSandboxStatsFilter,
  SwapUsage,
} from '@wherry/cri';
import {
  type CgroupFolders,
  type CgroupLayout,
  type CgroupStats,
  foldersAt,
  groupPathOf,
  readStats,
} from '@wherry/linux';
import { filterContainers, filterSandboxes } from '../answers/filters.ts';
import type { Container } from '../container/container-record.ts';
import type { ContainerStore } from '../container/container-store.ts';
import type { Sandbox } from '../sandbox/sandbox-record.ts';
import type { SandboxStore } from '../sandbox/sandbox-store.ts';
import { type CgroupDriver, podGroupPath } from '../spec/cgroup-path.ts';
import type { NanosecondClock } from '../state/nanosecond-clock.ts';
import { overlayParts } from '../volumes/overlay.ts';
import { CpuRates } from './cpu-rate.ts';
import { inTurns } from './in-turns.ts';
import { LayerUsage } from './layer-usage.ts';
import { readInterfaces, toNetworkUsage } from './network-stats.ts';
import { toPsi } from './pressure.ts';

/** What the statistics are read from. */
export interface StatsServiceOptions {
  containers: ContainerStore;
  sandboxes: SandboxStore;
  layout: CgroupLayout;
  cgroupDriver: CgroupDriver;
  clock: NanosecondClock;
}

const nsPerMs = 1_000_000n;

/** Use of CPU, memory, disk and network, read from the kernel's files when asked. */
export class StatsService {
  readonly #options: StatsServiceOptions;
  readonly #rates = new CpuRates();
  readonly #layers: LayerUsage;

  constructor(options: StatsServiceOptions) {
    this.#options = options;
    this.#layers = new LayerUsage(options.clock);
  }

  /** One container. Throws `RuntimeError` NOT_FOUND. */
  async container(id: string): Promise<Input<ContainerStats>> {
    return this.#container(this.#options.containers.find(id));
  }

  /** The running containers that fit the filter; one that vanishes meanwhile is left out. */
  async containers(filter: Partial<ContainerStatsFilter> | undefined): Promise<Input<ContainerStats>[]> {
    const running = filterContainers(this.#options.containers.list(), filter).filter(
      ({ state }) => state === 'running',
    );
    return inTurns(running, (container) => this.#container(container));
  }

  /** One sandbox. Throws `RuntimeError` NOT_FOUND. */
  async sandbox(id: string): Promise<Input<PodSandboxStats>> {
    return this.#sandbox(this.#options.sandboxes.find(id));
  }

  /** The ready sandboxes that fit the filter. */
  async sandboxes(filter: Partial<PodSandboxStatsFilter> | undefined): Promise<Input<PodSandboxStats>[]> {
    const ready = filterSandboxes(this.#options.sandboxes.list(), filter).filter((sandbox) => sandbox.ready);
    return inTurns(ready, (sandbox) => this.#sandbox(sandbox));
  }

  /** Bytes that a container's writable layer takes, as measured last. */
  async layerBytes(containerId: string): Promise<number> {
    return (await this.#layers.usage(this.#upper(containerId))).bytes;
  }

  /** Forgets what was measured of a container. */
  forget(containerId: string): void {
    this.#rates.forget(containerId);
    this.#layers.forget(this.#upper(containerId));
  }

  async #container(container: Container): Promise<Input<ContainerStats>> {
    const { id, config } = container;
    const timestamp = this.#options.clock.now();
    const folders = foldersAt(this.#options.layout, groupPathOf(container.cgroupsPath));
    const stats = container.state === 'running' ? readStats(folders) : null;
    const { bytes, inodes, measuredAtMs } = await this.#layers.usage(this.#upper(id));
    return {
      attributes: { id, metadata: config.metadata, labels: config.labels, annotations: config.annotations },
      ...(stats && this.#usage(id, stats, folders, timestamp)),
      writableLayer: {
        timestamp: BigInt(Math.floor(measuredAtMs)) * nsPerMs,
        fsId: { mountpoint: this.#options.containers.folder.root },
        usedBytes: { value: bytes },
        inodesUsed: { value: inodes },
      },
    };
  }

  async #sandbox(sandbox: Sandbox): Promise<Input<PodSandboxStats>> {
    const { config, id, namespaces } = sandbox;
    const timestamp = this.#options.clock.now();
    const parent = config.linux?.cgroupParent ?? '';
    const folders =
      parent === ''
        ? null
        : foldersAt(this.#options.layout, podGroupPath(parent, this.#options.cgroupDriver));
    const stats = folders && readStats(folders);
    const own = this.#options.containers.ofSandbox(id).filter(({ state }) => state === 'running');
    return {
      attributes: { id, metadata: config.metadata, labels: config.labels, annotations: config.annotations },
      linux: {
        ...(folders && stats && this.#usage(id, stats, folders, timestamp)),
        network: toNetworkUsage(readInterfaces(namespaces.net), timestamp),
        process: { timestamp, processCount: { value: this.#processCount(own) } },
        containers: await Promise.all(own.map((container) => this.#container(container))),
      },
    };
  }

  #usage(key: string, stats: CgroupStats, folders: CgroupFolders, timestamp: bigint) {
    const io = toPsi(folders.unified, 'io');
    return {
      cpu: this.#cpu(key, stats, folders, timestamp),
      memory: memoryUsage(stats, folders, timestamp),
      swap: swapUsage(stats, timestamp),
      ...(io && { io: { timestamp, psi: io } }),
    };
  }

  #cpu(key: string, { cpuUsageNs }: CgroupStats, folders: CgroupFolders, timestamp: bigint): Input<CpuUsage> {
    const rate = this.#rates.rate(key, cpuUsageNs, timestamp);
    return {
      timestamp,
      usageCoreNanoSeconds: { value: cpuUsageNs },
      usageNanoCores: rate === undefined ? undefined : { value: rate },
      psi: toPsi(folders.unified, 'cpu'),
    };
  }

  #processCount(containers: readonly Container[]): number {
    const { layout } = this.#options;
    const counts = containers.map(
      ({ cgroupsPath }) => readStats(foldersAt(layout, groupPathOf(cgroupsPath)))?.processCount ?? 0,
    );
    return counts.reduce((sum, count) => sum + count, 0);
  }

  #upper(containerId: string): string {
    return this.#options.containers.folder.path(containerId, overlayParts.upper);
  }
}

function swapUsage({ swapLimitBytes, swapUsageBytes }: CgroupStats, timestamp: bigint): Input<SwapUsage> {
  const isLimited = swapLimitBytes !== undefined && Number.isFinite(swapLimitBytes);
  return {
    timestamp,
    swapUsageBytes: { value: swapUsageBytes },
    ...(isLimited && { swapAvailableBytes: { value: Math.max(0, swapLimitBytes - swapUsageBytes) } }),
  };
}

function memoryUsage(stats: CgroupStats, folders: CgroupFolders, timestamp: bigint): Input<MemoryUsage> {
  const { memoryLimitBytes: limit, workingSetBytes } = stats;
  const available = Number.isFinite(limit) ? Math.max(0, limit - workingSetBytes) : 0;
  return {
    timestamp,
    workingSetBytes: { value: workingSetBytes },
    availableBytes: { value: available },
    usageBytes: { value: stats.memoryUsageBytes },
    rssBytes: { value: stats.residentBytes },
    pageFaults: { value: stats.pageFaults },
    majorPageFaults: { value: stats.majorPageFaults },
    psi: toPsi(folders.unified, 'memory'),
  };
}

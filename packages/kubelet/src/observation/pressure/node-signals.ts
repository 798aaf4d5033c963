import { readFile, stat, statfs } from 'node:fs/promises';
import type { CriClient } from '@wherry/cri';
import { type CgroupLayout, detectCgroups, foldersAt, readStats } from '@wherry/linux';
import type { EvictionSignal } from '../../configuration/eviction-thresholds.ts';
import { readProcessesMax } from '../../ground/machine-info.ts';

/** How much of something is left. */
export interface Observation {
  available: number;
  capacity: number;
}

/** What could be measured. */
export type Observations = ReadonlyMap<EvictionSignal, Observation>;

/** What the node has left, and where its images lie. */
export interface NodeObservation {
  observations: Observations;
  /** Images and containers' own files are on another file system than the kubelet's. */
  hasImageFilesystem: boolean;
}

/** What is measured. */
export interface NodeSignalsOptions {
  images: CriClient['images'];
  rootDir: string;
  /** The control group of all pods and the memory that it is held to; undefined where it is held to none. */
  pods?: { cgroup: () => string; memoryBytes: number } | undefined;
}

/**
 * Measures what the node can run short of. What can't be measured is left out. Sources: pkg/kubelet/eviction/helpers.go,
 * and for memory that cAdvisor's working set is what is used less the inactive files.
 */
export class NodeSignals {
  readonly #options: NodeSignalsOptions;
  /** Found once: the table of mounts is long on a node full of pods, and who reads it waits for all that mount. */
  #layout: CgroupLayout | undefined;

  constructor(options: NodeSignalsOptions) {
    this.#options = options;
  }

  /** What is left now. Rejects with `signal.reason` alone. */
  async observe(signal: AbortSignal): Promise<NodeObservation> {
    const { images, rootDir, pods } = this.#options;
    const answer = await images.imageFsInfo({}, { signal }).catch(() => undefined);
    signal.throwIfAborted();
    const imageFolder = answer?.imageFilesystems[0]?.fsId?.mountpoint;
    const [memory, node, image, processes] = await Promise.all([
      memoryLeft().catch(() => undefined),
      filesystemLeft(rootDir).catch(() => undefined),
      imageFolder === undefined ? undefined : filesystemLeft(imageFolder).catch(() => undefined),
      processesLeft().catch(() => undefined),
    ]);
    const found: [EvictionSignal, Observation | undefined][] = [
      ['memory.available', memory],
      ['allocatableMemory.available', pods && this.#memoryLeftOf(pods)],
      ['nodefs.available', node?.bytes],
      ['nodefs.inodesFree', node?.inodes],
      ['imagefs.available', image?.bytes],
      ['imagefs.inodesFree', image?.inodes],
      ['pid.available', processes],
    ];
    return {
      observations: new Map(
        found.flatMap(([name, seen]) => (seen && seen.capacity > 0 ? [[name, seen] as const] : [])),
      ),
      hasImageFilesystem: node !== undefined && image !== undefined && node.device !== image.device,
    };
  }

  #memoryLeftOf({ cgroup, memoryBytes }: NonNullable<NodeSignalsOptions['pods']>): Observation | undefined {
    try {
      this.#layout ??= detectCgroups();
      const stats = readStats(foldersAt(this.#layout, cgroup()));
      return stats
        ? { available: Math.max(0, memoryBytes - stats.workingSetBytes), capacity: memoryBytes }
        : undefined;
    } catch {
      return undefined;
    }
  }
}

async function memoryLeft(): Promise<Observation> {
  const text = await readFile('/proc/meminfo', 'utf8');
  const bytes = (name: string) => {
    const line = text.split('\n').find((candidate) => candidate.startsWith(`${name}:`));
    return Number(line?.split(/\s+/)[1] ?? Number.NaN) * 1_024;
  };
  const inactive = bytes('Inactive(file)');
  const available = Number.isNaN(inactive) ? bytes('MemAvailable') : bytes('MemFree') + inactive;
  return { available, capacity: bytes('MemTotal') };
}

interface FilesystemLeft {
  bytes: Observation;
  inodes: Observation;
  device: number;
}

async function filesystemLeft(folder: string): Promise<FilesystemLeft> {
  const [{ bsize, bavail, blocks, ffree, files }, { dev }] = await Promise.all([
    statfs(folder),
    stat(folder),
  ]);
  return {
    bytes: { available: bavail * bsize, capacity: blocks * bsize },
    inodes: { available: ffree, capacity: files },
    device: dev,
  };
}

async function processesLeft(): Promise<Observation> {
  const [capacity, load] = await Promise.all([readProcessesMax(), readFile('/proc/loadavg', 'utf8')]);
  const running = Number(load.split(' ')[3]?.split('/')[1] ?? 0);
  return { available: capacity - running, capacity };
}

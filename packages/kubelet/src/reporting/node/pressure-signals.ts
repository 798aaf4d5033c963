import { readFile, statfs } from 'node:fs/promises';
import type { EvictionSignal } from '../../configuration/eviction-thresholds.ts';

/** How much of something is left. */
export interface Observation {
  available: number;
  capacity: number;
}

/** What could be measured. */
export type Observations = ReadonlyMap<EvictionSignal, Observation>;

/**
 * Measures what the node can run short of. `imageFolder` is where the runtime keeps its images, undefined while it has not
 * said. What can't be measured is left out. Sources: pkg/kubelet/eviction/helpers.go, and for memory that cAdvisor's
 * working set is what is used less the inactive files.
 */
export async function observeNode(folders: {
  rootDir: string;
  imageFolder: string | undefined;
}): Promise<Observations> {
  const { rootDir, imageFolder } = folders;
  const [memory, node, images, processes] = await Promise.all([
    memoryLeft().catch(() => undefined),
    filesystemLeft(rootDir).catch(() => undefined),
    imageFolder === undefined ? undefined : filesystemLeft(imageFolder).catch(() => undefined),
    processesLeft().catch(() => undefined),
  ]);
  const found: [EvictionSignal, Observation | undefined][] = [
    ['memory.available', memory],
    ['nodefs.available', node?.bytes],
    ['nodefs.inodesFree', node?.inodes],
    ['imagefs.available', images?.bytes],
    ['imagefs.inodesFree', images?.inodes],
    ['pid.available', processes],
  ];
  return new Map(found.flatMap(([signal, seen]) => (seen && seen.capacity > 0 ? [[signal, seen]] : [])));
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

async function filesystemLeft(folder: string): Promise<{ bytes: Observation; inodes: Observation }> {
  const { bsize, bavail, blocks, ffree, files } = await statfs(folder);
  return {
    bytes: { available: bavail * bsize, capacity: blocks * bsize },
    inodes: { available: ffree, capacity: files },
  };
}

async function processesLeft(): Promise<Observation> {
  const [pidMax, threadsMax, load] = await Promise.all([
    readFile('/proc/sys/kernel/pid_max', 'utf8'),
    readFile('/proc/sys/kernel/threads-max', 'utf8'),
    readFile('/proc/loadavg', 'utf8'),
  ]);
  const capacity = Math.min(Number(pidMax), Number(threadsMax));
  const running = Number(load.split(' ')[3]?.split('/')[1] ?? 0);
  return { available: capacity - running, capacity };
}

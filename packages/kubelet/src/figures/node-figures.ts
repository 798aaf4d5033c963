import { readFile, stat, statfs } from 'node:fs/promises';
import type { Clock } from '@wherry/clock';
import { type InterfaceCounters, interfacesOfProcess } from '@wherry/linux';
import { CpuRate } from './cpu-rate.ts';
import { deviceName } from './device-names.ts';

/** What the whole machine takes at one moment; times of the processors in nanoseconds. */
export interface NodeFigures {
  atMs: number;
  cpuNs: number;
  /** Per second since the reading before; undefined at the first. */
  cpuNsPerSecond: number | undefined;
  memory: NodeMemory;
  interfaces: readonly InterfaceCounters[];
  processes: { running: number; most: number };
}

/** Memory of the machine in bytes. */
export interface NodeMemory {
  totalBytes: number;
  usageBytes: number;
  /** Usage less what the kernel can drop at once. */
  workingSetBytes: number;
  residentBytes: number;
  cacheBytes: number;
  swapTotalBytes: number;
  swapUsageBytes: number;
  pageFaults: number;
  majorPageFaults: number;
}

/** A file system, bytes and inodes. */
export interface FilesystemFigures {
  capacityBytes: number;
  availableBytes: number;
  usedBytes: number;
  inodes: number;
  inodesFree: number;
  /** `/dev/NAME`, or `major:minor` of what has no such name. */
  device: string;
}

/** Clock ticks per second in /proc/stat: fixed at 100 for user space (USER_HZ). */
const tickNs = 10_000_000;

/** Reads what the whole machine takes; between two readings it knows the rate of the processors' time. */
export class NodeMeter {
  readonly #clock: Clock;
  readonly #rate: CpuRate;

  constructor(clock: Clock) {
    this.#clock = clock;
    this.#rate = new CpuRate(clock);
  }

  /** Throws what the kernel says of its own files. */
  async read(): Promise<NodeFigures> {
    const [stats, meminfo, vmstat, load, pidMax] = await Promise.all(
      ['stat', 'meminfo', 'vmstat', 'loadavg', 'sys/kernel/pid_max'].map((name) =>
        readFile(`/proc/${name}`, 'utf8'),
      ),
    );
    const cpuNs = machineCpuNs(stats ?? '');
    return {
      atMs: this.#clock.nowMs(),
      cpuNs,
      cpuNsPerSecond: this.#rate.read(cpuNs),
      memory: machineMemory(meminfo ?? '', vmstat ?? ''),
      interfaces: interfacesOfProcess('self'),
      processes: {
        running: Number(load?.split(' ')[3]?.split('/')[1] ?? 0),
        most: Number(pidMax),
      },
    };
  }
}

/** The file system that holds `path`. Throws ENOENT when nothing is there. */
export async function filesystemOf(path: string): Promise<FilesystemFigures> {
  const [{ bsize, blocks, bavail, bfree, files, ffree }, { dev }] = await Promise.all([
    statfs(path),
    stat(path),
  ]);
  return {
    capacityBytes: bsize * blocks,
    availableBytes: bsize * bavail,
    usedBytes: bsize * (blocks - bfree),
    inodes: files,
    inodesFree: ffree,
    device: deviceName(deviceNumber(dev)),
  };
}

/** `major:minor` of a device number, by the kernel's encoding (gnu_dev_major of glibc). */
function deviceNumber(device: number): string {
  const number = BigInt(device);
  const major = ((number >> 8n) & 0xfffn) | ((number >> 32n) & 0xfffff000n);
  const minor = (number & 0xffn) | ((number >> 12n) & 0xffffff00n);
  return `${major}:${minor}`;
}

function machineCpuNs(text: string): number {
  const [user = 0, nice = 0, system = 0, , , irq = 0, softirq = 0, steal = 0] = (
    /^cpu\s+(.*)$/m.exec(text)?.[1] ?? ''
  )
    .split(/\s+/)
    .map(Number);
  return (user + nice + system + irq + softirq + steal) * tickNs;
}

function machineMemory(meminfo: string, vmstat: string): NodeMemory {
  const bytes = (name: string) =>
    Number(new RegExp(`^${name}:\\s+(\\d+) kB$`, 'm').exec(meminfo)?.[1] ?? 0) * 1_024;
  const count = (name: string) => Number(new RegExp(`^${name} (\\d+)$`, 'm').exec(vmstat)?.[1] ?? 0);
  const usageBytes = bytes('MemTotal') - bytes('MemFree');
  return {
    totalBytes: bytes('MemTotal'),
    usageBytes,
    workingSetBytes: Math.max(0, usageBytes - bytes('Inactive\\(file\\)')),
    residentBytes: bytes('AnonPages'),
    cacheBytes: bytes('Cached'),
    swapTotalBytes: bytes('SwapTotal'),
    swapUsageBytes: bytes('SwapTotal') - bytes('SwapFree'),
    pageFaults: count('pgfault'),
    majorPageFaults: count('pgmajfault'),
  };
}

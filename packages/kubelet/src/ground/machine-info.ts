import { readdir, readFile, statfs } from 'node:fs/promises';
import { arch, availableParallelism, hostname, release, totalmem } from 'node:os';

/** What the kubelet tells about the machine it runs on. */
export interface MachineInfo {
  machineId: string;
  systemUuid: string;
  bootId: string;
  /** Undefined where the kernel does not say it. */
  bootedAtMs: number | undefined;
  kernelVersion: string;
  osImage: string;
  architecture: string;
  hostname: string;
  cores: number;
  memoryBytes: number;
  swapBytes: number;
  /** Processes and threads that the kernel has at once; undefined where it does not say. */
  processesMax: number | undefined;
  /** Huge pages set aside at the kernel, by their size. */
  hugePages: readonly HugePages[];
}

/** Huge pages of one size. */
export interface HugePages {
  sizeBytes: number;
  count: number;
}

const goArchitectures: Record<string, string> = { x64: 'amd64', ia32: '386', arm64: 'arm64', arm: 'arm' };

/** Reads the machine's identity and size; what can't be read is left empty. */
export async function readMachineInfo(): Promise<MachineInfo> {
  const [machineId, systemUuid, bootId, osRelease, meminfo] = await Promise.all([
    readTrimmed('/etc/machine-id'),
    readTrimmed('/sys/class/dmi/id/product_uuid'),
    readTrimmed('/proc/sys/kernel/random/boot_id'),
    readTrimmed('/etc/os-release'),
    readTrimmed('/proc/meminfo'),
  ]);
  return {
    machineId,
    systemUuid: systemUuid || machineId,
    bootId,
    bootedAtMs: await bootedAtMs(),
    kernelVersion: release(),
    osImage: /^PRETTY_NAME="?([^"\n]*)"?$/m.exec(osRelease)?.[1] ?? 'Linux',
    architecture: goArchitectures[arch()] ?? arch(),
    hostname: hostname(),
    cores: availableParallelism(),
    memoryBytes: totalmem(),
    processesMax: await readProcessesMax().catch(() => undefined),
    hugePages: await readHugePages(),
    swapBytes: Number(/^SwapTotal:\s+(\d+) kB$/m.exec(meminfo)?.[1] ?? 0) * 1_024,
  };
}

/** When the machine was booted, as the clock of the machine has it by now. */
export async function bootedAtMs(): Promise<number | undefined> {
  const [, seconds] = /^btime (\d+)$/m.exec(await readTrimmed('/proc/stat')) ?? [];
  return seconds === undefined ? undefined : Number(seconds) * 1_000;
}

/** Processes and threads that the kernel has at once. Rejects where it does not say. */
export async function readProcessesMax(): Promise<number> {
  const files = ['/proc/sys/kernel/pid_max', '/proc/sys/kernel/threads-max'];
  return Math.min(...(await Promise.all(files.map(async (file) => Number(await readFile(file, 'utf8'))))));
}

const hugePagesFolder = '/sys/kernel/mm/hugepages';

async function readHugePages(): Promise<HugePages[]> {
  const names = await readdir(hugePagesFolder).catch(() => []);
  const found = names.sort().map(async (name) => ({
    sizeBytes: Number(/^hugepages-(\d+)kB$/.exec(name)?.[1] ?? 0) * 1_024,
    count: Number(await readTrimmed(`${hugePagesFolder}/${name}/nr_hugepages`)),
  }));
  return Promise.all(found);
}

/** Size and free space of the file system that holds `path`. */
export async function readFilesystem(path: string): Promise<{ totalBytes: number; freeBytes: number }> {
  const { bsize, blocks, bavail } = await statfs(path);
  return { totalBytes: bsize * blocks, freeBytes: bsize * bavail };
}

async function readTrimmed(path: string): Promise<string> {
  return readFile(path, 'utf8').then(
    (text) => text.trim(),
    () => '',
  );
}

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type CpuSet, parseCpuSet, sorted } from '../../pod/cpu-set.ts';
import type { HugePages } from '../machine-info.ts';

/** A core, and the processors (hardware threads) that it has. */
export interface MachineCore {
  socket: number;
  threads: readonly number[];
  /** The last cache that it shares with some cores of its node, but not with all; undefined where there is none. */
  uncoreCache: number | undefined;
}

/** A memory node of the machine (NUMA), and the cores that are near to it. */
export interface MachineNode {
  id: number;
  memoryBytes: number;
  hugePages: readonly HugePages[];
  /** How far each memory node is, in the order of their numbers; undefined where the kernel does not say. */
  distances: readonly number[] | undefined;
  cores: readonly MachineCore[];
}

/** Where processors and memory of a machine are. */
export interface MachineTopology {
  /** In the order of their numbers. */
  nodes: readonly MachineNode[];
  sockets: number;
}

/** Where the kernel tells of processors and memory nodes. */
const systemDevices = '/sys/devices/system';

/**
 * Asks the kernel, as upstream's kubelet does by cAdvisor: processors that are off are left out, and so are those of which
 * it does not say where they are. Without memory nodes there is one for each socket, of which no memory is known. Nothing
 * is found where the folder can't be read.
 */
export function readMachineTopology(folder = systemDevices): MachineTopology {
  const onlineText = textOf(join(folder, 'cpu', 'online'));
  const online = onlineText === undefined ? undefined : parseCpuSet(onlineText);
  const isOnline = (cpu: number) => online?.has(cpu) ?? true;
  const cpuDir = join(folder, 'cpu');
  const cpus = numbered(cpuDir, 'cpu').filter(isOnline);
  const nodesDir = join(folder, 'node');
  const ids = numbered(nodesDir, 'node');
  const nodes =
    ids.length > 0 ? ids.map((id) => memoryNode(folder, id, isOnline)) : socketsAsNodes(cpuDir, cpus);
  const packages = cpus.map((cpu) => numberIn(join(cpuDir, `cpu${cpu}`, 'topology/physical_package_id')));
  return { nodes, sockets: new Set(packages.filter((id) => id !== undefined)).size };
}

/** Every processor of a machine. */
export function cpusOf({ nodes }: MachineTopology): CpuSet {
  return new Set(nodes.flatMap(({ cores }) => cores.flatMap(({ threads }) => threads)));
}

function memoryNode(folder: string, id: number, isOnline: (cpu: number) => boolean): MachineNode {
  const nodeDir = join(folder, 'node', `node${id}`);
  const cpus = numbered(nodeDir, 'cpu').filter(isOnline);
  const memory = /MemTotal:\s*(\d+) kB/.exec(textOf(join(nodeDir, 'meminfo')) ?? '')?.[1] ?? 0;
  const distances = textOf(join(nodeDir, 'distance'))?.split(/\s+/).map(Number);
  return {
    id,
    memoryBytes: Number(memory) * 1_024,
    hugePages: hugePagesOf(join(nodeDir, 'hugepages')),
    distances,
    cores: coresOf(join(folder, 'cpu'), cpus),
  };
}

function socketsAsNodes(cpuDir: string, cpus: readonly number[]): MachineNode[] {
  const bySocket = new Map<number, number[]>();
  for (const cpu of cpus) {
    const socket = numberIn(join(cpuDir, `cpu${cpu}`, 'topology/physical_package_id'));
    if (socket !== undefined) bySocket.set(socket, [...(bySocket.get(socket) ?? []), cpu]);
  }
  return sorted(bySocket.keys()).map((id) => ({
    ...{ id, memoryBytes: 0, hugePages: [], distances: undefined },
    cores: coresOf(cpuDir, bySocket.get(id) ?? []),
  }));
}

function hugePagesOf(folder: string): HugePages[] {
  return entriesOf(folder).flatMap((name) => {
    const [, kibibytes] = /^hugepages-(\d+)kB$/.exec(name) ?? [];
    const count = numberIn(join(folder, name, 'nr_hugepages'));
    if (kibibytes === undefined || count === undefined) return [];
    return [{ sizeBytes: Number(kibibytes) * 1_024, count }];
  });
}

function coresOf(cpuDir: string, cpus: readonly number[]): MachineCore[] {
  const cores = new Map<string, { socket: number; threads: number[] }>();
  for (const cpu of cpus) {
    const core = numberIn(join(cpuDir, `cpu${cpu}`, 'topology/core_id'));
    const socket = numberIn(join(cpuDir, `cpu${cpu}`, 'topology/physical_package_id'));
    if (core === undefined || socket === undefined) continue;
    const known = cores.get(`${socket} ${core}`) ?? { socket, threads: [] };
    known.threads.push(cpu);
    cores.set(`${socket} ${core}`, known);
  }
  return withCaches(cpuDir, [...cores.values()]);
}

/** A cache above the second level that not all cores of the node share. Where the kernel can't tell, nothing more is asked. */
function withCaches(cpuDir: string, cores: readonly Omit<MachineCore, 'uncoreCache'>[]): MachineCore[] {
  let isTold = true;
  return cores.map((core) => {
    const uncoreCache = isTold ? uncoreCacheOf(cpuDir, core, cores.length) : undefined;
    if (uncoreCache === 'unknown') isTold = false;
    return { ...core, uncoreCache: uncoreCache === 'unknown' ? undefined : uncoreCache };
  });
}

function uncoreCacheOf(
  cpuDir: string,
  { threads }: Pick<MachineCore, 'threads'>,
  coresOfNode: number,
): number | undefined | 'unknown' {
  const folder = join(cpuDir, `cpu${threads[0]}`, 'cache');
  const names = entriesOf(folder).filter((name) => name.startsWith('index'));
  const caches = names.map((name) => ({
    id: numberIn(join(folder, name, 'id')),
    level: numberIn(join(folder, name, 'level')),
    sharers: bitsIn(textOf(join(folder, name, 'shared_cpu_map')) ?? ''),
  }));
  if (names.length === 0 || caches.some(({ id, level }) => id === undefined || level === undefined))
    return 'unknown';
  const all = coresOfNode * threads.length;
  return caches.find(({ level = 0, sharers }) => level > 2 && sharers !== all)?.id;
}

/** How many bits a mask such as `ffff,00000003` has. */
function bitsIn(mask: string): number {
  const digits = [...mask.replaceAll(/[^0-9a-f]/gi, '')].map((digit) => Number.parseInt(digit, 16));
  return digits.reduce((sum, digit) => sum + (digit.toString(2).match(/1/g)?.length ?? 0), 0);
}

/** Numbers of the entries of a folder that are called `<prefix><number>`, in order. */
function numbered(folder: string, prefix: string): number[] {
  const pattern = new RegExp(`^${prefix}(\\d+)$`);
  const numbers = entriesOf(folder).map((name) => pattern.exec(name)?.[1]);
  return sorted(numbers.filter((number) => number !== undefined).map(Number));
}

function entriesOf(folder: string): string[] {
  try {
    return readdirSync(folder).sort();
  } catch {
    return [];
  }
}

function numberIn(path: string): number | undefined {
  const text = textOf(path);
  return text !== undefined && /^-?\d+$/.test(text) ? Number(text) : undefined;
}

function textOf(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8').trim();
  } catch {
    return undefined;
  }
}

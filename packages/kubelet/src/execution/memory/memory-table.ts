import type { MachineTopology } from '../../ground/topology/machine-topology.ts';
import { hugePagesName } from '../../pod/amount.ts';

/** Memory of one kind at one memory node, in bytes. */
export interface MemoryCell {
  total: number;
  /** Kept back for the system. */
  systemReserved: number;
  /** What containers can have: given to some (`reserved`), and free. */
  allocatable: number;
  reserved: number;
  free: number;
}

/** What is known of a memory node. */
export interface NodeMemory {
  /** How many times memory of it was given away, each kind and container once. */
  assignments: number;
  /** By `memory` or `hugepages-<size>`. */
  memory: ReadonlyMap<string, MemoryCell>;
  /** The nodes that memory is given from together with it; itself alone, at first. */
  group: readonly number[];
}

/** All memory nodes, by their numbers. */
export type MemoryTable = Map<number, NodeMemory>;

/** Memory of one kind that a container has. */
export interface MemoryBlock {
  /** The nodes that it is of, in order. */
  nodes: readonly number[];
  /** `memory` or `hugepages-<size>`. */
  type: string;
  sizeBytes: number;
}

/** What is kept back, in bytes, by memory node and kind. */
export type ReservedMemory = ReadonlyMap<number, ReadonlyMap<string, number>>;

/** The machine's memory as long as nothing is given away. */
export function emptyTable({ nodes }: MachineTopology, reserved: ReservedMemory): MemoryTable {
  return new Map(
    nodes.map(({ id, memoryBytes, hugePages }) => {
      const kept = (type: string) => reserved.get(id)?.get(type) ?? 0;
      const huge = hugePages.map(({ sizeBytes, count }) => {
        const type = hugePagesName(sizeBytes);
        return [type, cellOf(sizeBytes * count, kept(type), 0)] as const;
      });
      const inHugePages = huge.reduce((sum, [, { total }]) => sum + total, 0);
      const memory = new Map([
        ...huge,
        ['memory', cellOf(memoryBytes, kept('memory'), inHugePages)] as const,
      ]);
      return [id, { assignments: 0, memory, group: [id] }];
    }),
  );
}

function cellOf(total: number, systemReserved: number, elsewhere: number): MemoryCell {
  const allocatable = total - systemReserved - elsewhere;
  return { total, systemReserved, allocatable, reserved: 0, free: allocatable };
}

/** A table that can be changed without the other. */
export function copyOf(table: MemoryTable): MemoryTable {
  const copies = [...table].map(([id, node]) => {
    const memory = new Map([...node.memory].map(([type, cell]) => [type, { ...cell }]));
    return [id, { ...node, memory }] as const;
  });
  return new Map(copies);
}

/** Gives memory away: `bytes` of the nodes of a block, of each in turn what it has. */
export function giveMemory(table: MemoryTable, { nodes, type }: MemoryBlock, bytes: number): void {
  let missing = bytes;
  for (const id of nodes) {
    const node = table.get(id);
    if (!node) continue;
    node.assignments += 1;
    node.group = nodes;
    const cell = node.memory.get(type);
    const part = Math.min(missing, Math.max(0, cell?.free ?? 0));
    if (!cell || part === 0) continue;
    cell.reserved += part;
    cell.free -= part;
    missing -= part;
  }
}

/** Takes memory back. */
export function takeMemoryBack(table: MemoryTable, { nodes, type, sizeBytes }: MemoryBlock): void {
  let left = sizeBytes;
  for (const id of nodes) {
    const node = table.get(id);
    if (!node) continue;
    node.assignments -= 1;
    if (node.assignments === 0) node.group = [id];
    const cell = node.memory.get(type);
    const part = Math.min(left, cell?.reserved ?? 0);
    if (!cell || part === 0) continue;
    cell.reserved -= part;
    cell.free += part;
    left -= part;
  }
}

/** What is free, or can be given away at all, of one kind at some nodes together. */
export function sumOf(
  table: MemoryTable,
  nodes: readonly number[],
  type: string,
  of: 'free' | 'allocatable',
): number {
  return nodes.reduce((sum, id) => sum + (table.get(id)?.memory.get(type)?.[of] ?? 0), 0);
}

export const isSameGroup = (one: readonly number[], other: readonly number[]): boolean =>
  one.length === other.length && new Set(one).isSubsetOf(new Set(other));

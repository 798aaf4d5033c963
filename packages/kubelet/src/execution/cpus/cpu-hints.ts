import type { CpuTopology } from '../../ground/topology/cpu-topology.ts';
import type { CpuSet } from '../../pod/cpu-set.ts';
import type { Hint } from '../topology/hints.ts';
import { type MemoryNodes, type NodeMask, nodeCount } from '../topology/memory-nodes.ts';

/** What processors are to be given from. */
export interface CpuHintNeed {
  topology: CpuTopology;
  nodes: MemoryNodes;
  available: CpuSet;
  /** Processors of the same pod that must be among them. */
  reusable: CpuSet;
  asked: number;
  isAlignedBySocket: boolean;
}

/** The sets of memory nodes that have enough of them. */
export function cpuHints({
  topology,
  nodes,
  available,
  reusable,
  asked,
  isAlignedBySocket,
}: CpuHintNeed): Hint[] {
  const ids = topology.idsOf('node');
  const countIn = (pool: { countIn: CpuTopology['countIn'] }, mask: NodeMask) =>
    nodes.idsOf(mask).reduce((sum, id) => sum + pool.countIn('node', id), 0);
  const [free, own] = [topology.only(available), topology.only(reusable)];
  const needed = nodes.maskOf(own.idsOf('node'));
  let least = ids.length;
  const fitting: NodeMask[] = [];
  for (const mask of nodes.masks(ids)) {
    const size = nodeCount(mask);
    if (size < least && countIn(topology, mask) >= asked) least = size;
    const hasOwn = (needed & ~mask) === 0;
    if (hasOwn && countIn(free, mask) + own.size >= asked) fitting.push(mask);
  }
  const isPreferred = (mask: NodeMask) =>
    nodeCount(mask) === least || (isAlignedBySocket && isOfFewestSockets(topology, nodes.idsOf(mask), least));
  return fitting.map((mask) => ({ nodes: mask, isPreferred: isPreferred(mask) }));
}

/** Whether the nodes are of no more sockets than that many nodes need. */
function isOfFewestSockets(topology: CpuTopology, nodes: readonly number[], least: number): boolean {
  const nodesPerSocket = Math.floor(topology.idsOf('node').length / topology.sockets);
  if (nodesPerSocket === 0) return false;
  return socketsOf(topology, nodes).size === Math.ceil(least / nodesPerSocket);
}

/** Sockets that have processors in these nodes. */
export function socketsOf(topology: CpuTopology, nodes: readonly number[]): Set<number> {
  return new Set(nodes.flatMap((node) => topology.idsIn('socket', 'node', node)));
}

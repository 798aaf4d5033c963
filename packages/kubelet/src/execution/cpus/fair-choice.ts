import type { CpuPool, CpuTopology } from '../../ground/topology/cpu-topology.ts';
import { combinations } from '../topology/memory-nodes.ts';

/** What memory nodes are chosen from. */
export interface FairNeed {
  topology: CpuTopology;
  free: CpuPool;
  /** Those with free processors, in the order in which they are tried. */
  nodes: readonly number[];
  count: number;
  /** Processors that are given away together. */
  group: number;
}

/** Memory nodes that give a share each, and those that give what is left over, a group each in turn. */
export interface FairChoice {
  nodes: readonly number[];
  share: number;
  rest: readonly number[];
}

interface Scored extends FairChoice {
  /** How unequal the memory nodes are afterwards. */
  spread: number;
}

/** The fewest memory nodes that can share evenly, and of those the ones that leave all as equal as can be (KEP-2902). */
export function fairChoice(need: FairNeed): FairChoice | undefined {
  const [least, most] = nodesNeeded(need);
  for (let size = least; size <= most; size += 1) {
    let best: Scored | undefined;
    for (const nodes of combinations(need.nodes, size)) {
      if (best?.spread === 0) break;
      const scored = score(need, nodes);
      if (scored && scored.spread < (best?.spread ?? Number.POSITIVE_INFINITY)) best = scored;
    }
    if (best) return best;
  }
  return undefined;
}

/** The least and the greatest number of memory nodes that may do. */
function nodesNeeded({ topology, nodes, count, group }: FairNeed): [least: number, most: number] {
  const groups = Math.ceil(topology.size / group);
  const groupsOfNode = Math.ceil(groups / topology.idsOf('node').length);
  const needed = Math.ceil(count / group);
  return [Math.ceil(needed / groupsOfNode), Math.min(needed, nodes.length)];
}

function score({ free, nodes: all, count, group }: FairNeed, nodes: readonly number[]): Scored | undefined {
  const sizes = nodes.map((node) => free.countIn('node', node));
  const groups = sizes.reduce((sum, size) => sum + Math.floor(size / group), 0);
  const share = Math.floor(Math.floor(count / nodes.length) / group) * group;
  if (groups * group < count || sizes.some((size) => size < share)) return undefined;
  const left = new Map(all.map((node) => [node, free.countIn('node', node)]));
  for (const node of nodes) left.set(node, (left.get(node) ?? 0) - share);
  const over = count - share * nodes.length;
  if (over === 0) return { nodes, share, rest: [], spread: deviation([...left.values()]) };
  let best: Scored | undefined;
  const givers = nodes.filter((node) => (left.get(node) ?? 0) >= group);
  for (let size = givers.length; size >= 1; size -= 1) {
    for (const rest of combinations(givers, size)) {
      const after = handedOut(left, rest, over, group);
      const spread = after && deviation(after);
      if (spread !== undefined && spread < (best?.spread ?? Number.POSITIVE_INFINITY))
        best = { nodes, share, rest, spread };
    }
  }
  return best;
}

/** What all nodes have left when some of them gave a group each in turn; undefined where they have too little. */
function handedOut(
  before: ReadonlyMap<number, number>,
  givers: readonly number[],
  over: number,
  group: number,
): number[] | undefined {
  const left = new Map(before);
  let missing = over;
  while (missing > 0) {
    const atFirst = missing;
    for (const node of givers) {
      const free = left.get(node) ?? 0;
      if (missing === 0 || free < group) continue;
      left.set(node, free - group);
      missing -= group;
    }
    if (missing === atFirst) return undefined;
  }
  return [...left.values()];
}

/** Both in thousandths, so that what differs by rounding is the same. */
function deviation(values: readonly number[]): number {
  const mean = thousandths(values.reduce((sum, value) => sum + value, 0) / values.length);
  const squares = values.reduce((sum, value) => sum + (value - mean) ** 2, 0);
  return thousandths(Math.sqrt(squares / values.length));
}

const thousandths = (value: number) => Math.round(value * 1_000) / 1_000;

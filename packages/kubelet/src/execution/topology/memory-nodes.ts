import type { MachineTopology } from '../../ground/topology/machine-topology.ts';
import { sorted } from '../../pod/cpu-set.ts';

/** Memory nodes as bits: bit i is the i-th node of the machine, in the order of their numbers. */
export type NodeMask = number;

/** More than these do not fit a mask, and would have more than a thousand million combinations. */
export const memoryNodesMax = 30;

/** The memory nodes of the machine, and sets of them. */
export class MemoryNodes {
  /** In order. */
  readonly ids: readonly number[];
  readonly #distances: ReadonlyMap<number, readonly number[] | undefined>;

  constructor({ nodes }: Pick<MachineTopology, 'nodes'>) {
    this.ids = sorted(nodes.map(({ id }) => id));
    this.#distances = new Map(nodes.map(({ id, distances }) => [id, distances]));
  }

  get all(): NodeMask {
    return this.maskOf(this.ids);
  }

  /** Nodes that the machine does not have are left out. */
  maskOf(ids: Iterable<number>): NodeMask {
    let mask = 0;
    for (const id of ids) {
      const place = this.ids.indexOf(id);
      if (place >= 0) mask |= 1 << place;
    }
    return mask;
  }

  /** The nodes of a mask, in order. */
  idsOf(mask: NodeMask): number[] {
    return this.ids.filter((_, place) => (mask & (1 << place)) !== 0);
  }

  /** Every set of one or more of these nodes, small sets first. */
  *masks(of: readonly number[] = this.ids): Iterable<NodeMask> {
    for (let size = 1; size <= of.length; size += 1)
      for (const chosen of combinations(of, size)) yield this.maskOf(chosen);
  }

  /** Whether the kernel says how far they are from one another. */
  get hasDistances(): boolean {
    return [...this.#distances.values()].every((distances) => distances !== undefined);
  }

  /** How far the nodes of a mask are from one another on average, each from itself included. */
  meanDistance(mask: NodeMask): number {
    const ids = this.idsOf(mask);
    let sum = 0;
    for (const from of ids)
      for (const to of ids) sum += this.#distances.get(from)?.[this.ids.indexOf(to)] ?? 0;
    return ids.length === 0 ? 0 : sum / ids.length ** 2;
  }
}

/** How many nodes a mask has. */
export function nodeCount(mask: NodeMask): number {
  let count = 0;
  for (let rest = mask; rest !== 0; rest &= rest - 1) count += 1;
  return count;
}

/** Whether one has fewer nodes than the other; of as many, those of lower numbers. */
export function isNarrower(one: NodeMask, other: NodeMask): boolean {
  const [count, otherCount] = [nodeCount(one), nodeCount(other)];
  return count === otherCount ? one < other : count < otherCount;
}

/** All choices of `size` items, in the order of the items. */
export function* combinations<T>(items: readonly T[], size: number, from = 0): Iterable<T[]> {
  if (size === 0) yield [];
  else
    for (let first = from; first <= items.length - size; first += 1)
      for (const rest of combinations(items, size - 1, first + 1)) yield [items[first] as T, ...rest];
}

import type { Hint, ResourceHints } from '../topology/hints.ts';
import { isNarrower, type MemoryNodes, type NodeMask, nodeCount } from '../topology/memory-nodes.ts';
import type { MemoryAmounts } from './asked-memory.ts';
import { isSameGroup, type MemoryBlock, type MemoryTable, sumOf } from './memory-table.ts';

/** What memory is to be given from. */
export interface MemoryHintNeed {
  table: MemoryTable;
  nodes: MemoryNodes;
  asked: MemoryAmounts;
  /** Bytes that ended init containers of the pod have of these nodes. */
  reusable(mask: NodeMask, type: string): number;
}

/** The sets of memory nodes that have enough of every kind that is asked for: the same for each kind. */
export function fittingNodes({ table, nodes, asked, reusable }: MemoryHintNeed): Hint[] {
  const kinds = [...asked];
  const known = [...table.keys()];
  let least = known.length;
  const fitting: NodeMask[] = [];
  for (const mask of nodes.masks(known.sort((a, b) => a - b))) {
    const ids = nodes.idsOf(mask);
    if (kinds.some(([type, bytes]) => sumOf(table, ids, type, 'allocatable') < bytes)) continue;
    least = Math.min(least, ids.length);
    if (isTakenOtherwise(table, ids)) continue;
    if (kinds.every(([type, bytes]) => sumOf(table, ids, type, 'free') + reusable(mask, type) >= bytes))
      fitting.push(mask);
  }
  return fitting.map((mask) => ({ nodes: mask, isPreferred: nodeCount(mask) === least }));
}

/** A node gives memory alone or in one group: whether one of these is bound otherwise. */
function isTakenOtherwise(table: MemoryTable, ids: readonly number[]): boolean {
  const [first = -1] = ids;
  if (ids.length === 1) return (table.get(first)?.group.length ?? 0) > 1;
  return isGroupBroken(table, ids);
}

/** Whether memory was given of one of several nodes, and not of them all together. */
export function isGroupBroken(table: MemoryTable, ids: readonly number[]): boolean {
  if (ids.length === 1) return false;
  return ids.some((id) => {
    const { assignments = 0, group = [] } = table.get(id) ?? {};
    return assignments > 0 && (group.length === 1 || !isSameGroup(group, ids));
  });
}

/** One entry for each kind, all alike; none at all where no nodes fit. */
export function hintsForAll(asked: MemoryAmounts, hints: readonly Hint[]): ResourceHints {
  return hints.length === 0 ? new Map() : new Map([...asked.keys()].map((type) => [type, hints]));
}

/** Where a container has its memory already; nothing is said where it asks for another amount by now. */
export function heldHints(
  nodes: MemoryNodes,
  asked: MemoryAmounts,
  blocks: readonly MemoryBlock[],
): ResourceHints {
  const isSame =
    blocks.length === asked.size && blocks.every(({ type, sizeBytes }) => asked.get(type) === sizeBytes);
  if (!isSame) return new Map();
  return new Map(
    blocks.map(({ type, nodes: ids }) => [type, [{ nodes: nodes.maskOf(ids), isPreferred: true }]]),
  );
}

/** The preferred one of the fewest nodes. */
export function bestHint(hints: readonly Hint[]): Hint | undefined {
  let best: Hint | undefined;
  for (const hint of hints) {
    const isBetter =
      best === undefined ||
      (hint.isPreferred === best.isPreferred
        ? isNarrower(hint.nodes ?? 0, best.nodes ?? 0)
        : hint.isPreferred);
    if (isBetter) best = hint;
  }
  return best;
}

import { type MemoryBlock, type MemoryTable, sumOf } from './memory-table.ts';

/**
 * Whether two tables tell of the same memory, given to as many. What nodes give together counts in sum: which of them gave
 * what is not to be found out from what containers have. Upstream goes by the groups of one table, and so does not
 * start with its own record where a container took over memory that an init container had of several nodes.
 */
export function isSameMemory(one: MemoryTable, other: MemoryTable, blocks: readonly MemoryBlock[]): boolean {
  if (one.size !== other.size) return false;
  const together = nodesTogether(blocks);
  return [...one].every(([id, node]) => {
    const twin = other.get(id);
    if (!twin || node.assignments !== twin.assignments || node.memory.size !== twin.memory.size) return false;
    return [...node.memory].every(([type, cell]) => {
      const own = twin.memory.get(type);
      const ids = together.get(id) ?? [id];
      return (
        own?.total === cell.total &&
        own.systemReserved === cell.systemReserved &&
        own.allocatable === cell.allocatable &&
        sumOf(one, ids, type, 'free') === sumOf(other, ids, type, 'free')
      );
    });
  });
}

/** By each node that a block is of, the nodes that blocks tie to it, itself among them. */
function nodesTogether(blocks: readonly MemoryBlock[]): Map<number, readonly number[]> {
  const together = new Map<number, readonly number[]>();
  for (const { nodes } of blocks) {
    const tied = new Set(nodes.flatMap((node) => together.get(node) ?? [node]));
    for (const node of tied) together.set(node, [...tied]);
  }
  return together;
}

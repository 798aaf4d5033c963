import type { MachineTopology } from '../../ground/topology/machine-topology.ts';
import type { ReservedMemory } from './memory-table.ts';

/** What the configuration keeps back of a memory node, in bytes by kind. */
export interface MemoryReservation {
  numaNode: number;
  limits: ReadonlyMap<string, number>;
}

/**
 * What is kept back at each memory node. Throws where that is not, all in all, what the node keeps back of its capacity
 * (`kept`: kubeReserved, systemReserved and the hard eviction threshold), or names a node that is not there.
 */
export function reservedMemory(
  { nodes }: MachineTopology,
  reservations: readonly MemoryReservation[],
  kept: ReadonlyMap<string, number>,
): ReservedMemory {
  const reserved = new Map(nodes.map(({ id }) => [id, new Map<string, number>()]));
  const sums = new Map<string, number>();
  for (const { numaNode, limits } of reservations) {
    const ofNode = reserved.get(numaNode);
    if (!ofNode)
      throw new Error(`reservedMemory names memory node ${numaNode}, which this machine does not have`);
    for (const [type, bytes] of limits) {
      ofNode.set(type, bytes);
      sums.set(type, (sums.get(type) ?? 0) + bytes);
    }
  }
  for (const type of new Set([...kept.keys(), ...sums.keys()])) {
    const [wanted, sum] = [kept.get(type) ?? 0, sums.get(type) ?? 0];
    if (wanted !== sum)
      throw new Error(
        `reservedMemory keeps back ${sum} bytes of ${type} in all; kubeReserved, systemReserved and the hard eviction ` +
          `threshold keep back ${wanted}: the two must be the same`,
      );
  }
  if (!(sums.get('memory') ?? 0)) throw new Error('the policy Static of memory needs reservedMemory');
  return reserved;
}

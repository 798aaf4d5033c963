import type { Ground } from '../../ground/ground.ts';
import { amountOf } from '../../pod/amount.ts';
import { type MemoryNodes, memoryNodesMax } from '../topology/memory-nodes.ts';
import { MemoryManager } from './memory-manager.ts';
import { MemoryState } from './memory-state.ts';
import { emptyTable, type MemoryTable } from './memory-table.ts';
import { reservedMemory } from './reserved-memory.ts';
import { StaticMemoryPolicy } from './static-memory-policy.ts';

/** What of the ground it stands on. */
export type MemoryGround = Pick<
  Ground,
  'configuration' | 'topology' | 'paths' | 'metrics' | 'logger' | 'reservedBytes'
>;

/** Builds what gives memory away, as the configuration has it. Throws where this machine or the record does not allow it. */
export function assembleMemory(ground: MemoryGround, nodes: MemoryNodes): MemoryManager {
  const { configuration, paths, metrics, logger } = ground;
  const { memoryManagerPolicy } = configuration;
  const isStatic = memoryManagerPolicy === 'Static';
  const atFirst = isStatic ? memoryAtFirst(ground, nodes) : undefined;
  const state = new MemoryState(paths.memoryStateFile, memoryManagerPolicy);
  return new MemoryManager({
    ...{ state, logger },
    policy: atFirst && new StaticMemoryPolicy({ nodes, atFirst, state }),
    requests: metrics.plainCounter(
      'kubelet_memory_manager_pinning_requests_total',
      'Containers that were to have memory of certain memory nodes.',
    ),
    errors: metrics.plainCounter(
      'kubelet_memory_manager_pinning_errors_total',
      'Containers that could not have memory of certain memory nodes.',
    ),
  });
}

function memoryAtFirst(
  { configuration, topology, reservedBytes }: MemoryGround,
  nodes: MemoryNodes,
): MemoryTable {
  if (nodes.ids.length > memoryNodesMax)
    throw new Error(
      `memoryManagerPolicy: Static is not for machines of more than ${memoryNodesMax} memory nodes`,
    );
  const reservations = configuration.reservedMemory.map(({ numaNode, limits }) => {
    const amounts = Object.entries(limits).map(([type, text]) => [type, amountOf(text)] as const);
    return { numaNode, limits: new Map(amounts) };
  });
  return emptyTable(topology, reservedMemory(topology, reservations, reservedBytes));
}

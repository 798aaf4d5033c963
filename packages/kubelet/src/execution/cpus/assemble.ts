import type { Ground } from '../../ground/ground.ts';
import { CpuTopology } from '../../ground/topology/cpu-topology.ts';
import { parseCpuSet } from '../../pod/cpu-set.ts';
import type { AlignmentFigures } from '../topology/alignment-figures.ts';
import type { MemoryNodes } from '../topology/memory-nodes.ts';
import { requireOptions } from '../topology/policy-option.ts';
import { cpuFigures } from './cpu-figures.ts';
import { CpuManager } from './cpu-manager.ts';
import { cpuOptions } from './cpu-options.ts';
import { CpuState } from './cpu-state.ts';
import { StaticCpuPolicy } from './static-cpu-policy.ts';

/** What of the ground it stands on. */
export type CpuGround = Pick<
  Ground,
  'configuration' | 'topology' | 'paths' | 'metrics' | 'logger' | 'reservedMilliCpu'
>;

/** Builds what gives processors away, as the configuration has it. Throws where this machine or the record does not allow it. */
export function assembleCpus(
  { configuration, topology: machine, paths, metrics, logger, reservedMilliCpu }: CpuGround,
  { nodes, alignment }: { nodes: MemoryNodes; alignment: AlignmentFigures },
): CpuManager {
  const { cpuManagerPolicy, cpuManagerPolicyOptions, reservedSystemCPUs } = configuration;
  const topology = new CpuTopology(machine);
  const isStatic = cpuManagerPolicy === 'static';
  if (!isStatic) requireOptions('cpuManagerPolicyOptions', cpuManagerPolicyOptions, []);
  else if (topology.size === 0)
    throw new Error('cpuManagerPolicy: the kernel does not say which processors this machine has');
  else if (reservedMilliCpu <= 0)
    throw new Error(
      'cpuManagerPolicy: the static policy needs processors that are kept back, by reservedSystemCPUs, kubeReserved or systemReserved',
    );
  const options = isStatic ? cpuOptions(configuration, topology) : undefined;
  const state = new CpuState(paths.cpuStateFile, cpuManagerPolicy);
  const reserved = reservedSystemCPUs ? parseCpuSet(reservedSystemCPUs) : Math.ceil(reservedMilliCpu / 1_000);
  const policy = options && new StaticCpuPolicy({ topology, nodes, options, reserved, state });
  const figures = cpuFigures(metrics, { policy, state, topology, alignment });
  const isFullCores = options?.isFullCores ?? false;
  return new CpuManager({ policy, isFullCores, state, topology, figures, logger });
}

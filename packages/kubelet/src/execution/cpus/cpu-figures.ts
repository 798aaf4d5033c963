import type { Counter, MetricsRegistry } from '@wherry/telemetry';
import type { CpuTopology } from '../../ground/topology/cpu-topology.ts';
import type { AlignmentFigures } from '../topology/alignment-figures.ts';
import type { CpuState } from './cpu-state.ts';
import type { StaticCpuPolicy } from './static-cpu-policy.ts';

/** What is told of processors that containers have to themselves. */
export interface CpuFigures {
  requests: Counter;
  errors: Counter;
  alignment: AlignmentFigures;
}

/** Families of upstream's names; the gauges are measured when they are read. */
export function cpuFigures(
  metrics: MetricsRegistry,
  parts: {
    policy: StaticCpuPolicy | undefined;
    state: CpuState;
    topology: CpuTopology;
    alignment: AlignmentFigures;
  },
): CpuFigures {
  const { policy, state, topology, alignment } = parts;
  const given = () => new Set(state.grants.flatMap(({ cpus }) => [...cpus]));
  const shared = metrics.plainGauge(
    'kubelet_cpu_manager_shared_pool_size_millicores',
    'Thousandths of processors that containers share which have none to themselves, without reserved ones; 0 without the static policy.',
    () => shared.set((policy?.available.size ?? 0) * 1_000),
  );
  const exclusive = metrics.plainGauge(
    'kubelet_cpu_manager_exclusive_cpu_allocation_count',
    'Processors that containers have to themselves.',
    () => exclusive.set(policy ? given().size : 0),
  );
  if (policy) {
    const byNode = metrics.gauge(
      'kubelet_cpu_manager_allocation_per_numa',
      'Processors that containers have to themselves, by memory node.',
      () => {
        const pool = topology.only(given());
        for (const node of topology.idsOf('node'))
          byNode.set(pool.countIn('node', node), { numa_node: String(node) });
      },
    );
    alignment.begin('container', { given: ['physical_cpu', 'uncore_cache'], failed: ['physical_cpu'] });
  }
  return {
    requests: metrics.plainCounter(
      'kubelet_cpu_manager_pinning_requests_total',
      'Containers that were to have processors to themselves.',
    ),
    errors: metrics.plainCounter(
      'kubelet_cpu_manager_pinning_errors_total',
      'Containers that could not have processors to themselves.',
    ),
    alignment,
  };
}

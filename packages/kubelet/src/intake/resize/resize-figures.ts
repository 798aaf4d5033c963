import type { Container } from '@wherry/kubeapi';
import { isSidecar } from '@wherry/podrules';
import type { MetricsRegistry } from '@wherry/telemetry';
import { amountOf } from '../../pod/amount.ts';
import type { AssignedPod } from '../../pod/assigned-pod.ts';

/** Counts what changes of pods that are there ask for: each amount of each container apart, as upstream. */
export function resizeFigures(metrics: MetricsRegistry): (before: AssignedPod, after: AssignedPod) => void {
  const asked = metrics.counter(
    'kubelet_container_requested_resizes_total',
    'Amounts of containers that were to change, by resource, whether requests or limits, and how.',
  );
  return (before, after) => {
    const now = new Map(resizable(after).map((container) => [container.name, container]));
    for (const old of resizable(before)) {
      const container = now.get(old.name);
      if (!container) continue;
      for (const resource of ['memory', 'cpu'] as const) {
        for (const requirement of ['requests', 'limits'] as const) {
          const [from, to] = [old, container].map(({ resources }) =>
            amountOf(String(resources?.[requirement]?.[resource] ?? '0')),
          ) as [number, number];
          if (from !== to) asked.add(1, { resource, requirement, operation: operationOf(from, to) });
        }
      }
    }
  };
}

function resizable({ spec }: AssignedPod): Container[] {
  return [...(spec.initContainers ?? []).filter(isSidecar), ...spec.containers];
}

function operationOf(from: number, to: number): string {
  if (from === 0) return 'add';
  if (to === 0) return 'remove';
  return to < from ? 'decrease' : 'increase';
}

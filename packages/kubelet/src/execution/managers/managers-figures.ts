import type { Counter, Histogram, MetricsRegistry } from '@wherry/telemetry';
import { type AlignmentFigures, alignmentFigures } from '../topology/alignment-figures.ts';

/** What is told of pods that ask for resources with a place. */
export interface ManagersFigures {
  requests: Counter;
  errors: Counter;
  /** Milliseconds. */
  durations: Histogram;
  alignment: AlignmentFigures;
}

/** Doubling from a twentieth of a millisecond on, as upstream has them. */
const buckets = Array.from({ length: 15 }, (_, step) => 0.05 * 2 ** step);

/** Families of upstream's names. */
export function managersFigures(metrics: MetricsRegistry): ManagersFigures {
  return {
    requests: metrics.plainCounter(
      'kubelet_topology_manager_admission_requests_total',
      'Pods that were asked what resources they are to have.',
    ),
    errors: metrics.plainCounter(
      'kubelet_topology_manager_admission_errors_total',
      'Pods that could not have resources near enough to one another, or not at all.',
    ),
    durations: metrics.plainHistogram(
      'kubelet_topology_manager_admission_duration_ms',
      'Milliseconds that it took to choose and give the resources of a pod.',
      buckets,
    ),
    alignment: alignmentFigures(metrics),
  };
}

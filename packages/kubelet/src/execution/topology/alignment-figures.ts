import type { MetricsRegistry } from '@wherry/telemetry';

/** What something given to a container or pod is a whole of. */
export type AlignmentBoundary = 'physical_cpu' | 'numa_node' | 'uncore_cache';

/** Counts what was given as a whole, and what should have been and could not. */
export interface AlignmentFigures {
  given(scope: 'container' | 'pod', boundary: AlignmentBoundary): void;
  failed(scope: 'container' | 'pod', boundary: AlignmentBoundary): void;
  /** Shows these as 0 before anything is given. */
  begin(
    scope: 'container' | 'pod',
    boundaries: { given: readonly AlignmentBoundary[]; failed: readonly AlignmentBoundary[] },
  ): void;
}

/** Families of upstream's names. */
export function alignmentFigures(metrics: MetricsRegistry): AlignmentFigures {
  const given = metrics.counter(
    'kubelet_container_aligned_compute_resources_count',
    'Containers and pods that were given resources of one memory node, whole cores or one cache, by that.',
  );
  const failed = metrics.counter(
    'kubelet_container_aligned_compute_resources_failure_count',
    'Containers and pods that could not be given resources of one memory node or whole cores, by that.',
  );
  return {
    given: (scope, boundary) => given.add(1, { scope, boundary }),
    failed: (scope, boundary) => failed.add(1, { scope, boundary }),
    begin(scope, boundaries) {
      for (const boundary of boundaries.given) given.add(0, { scope, boundary });
      for (const boundary of boundaries.failed) failed.add(0, { scope, boundary });
    },
  };
}

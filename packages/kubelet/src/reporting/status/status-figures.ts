import type { ContainerStatus, PodStatus } from '@wherry/kubeapi';
import type { MetricsRegistry } from '@wherry/telemetry';

/** Upstream's bounds of the time that a status takes, in seconds. */
const syncSeconds = [0.01, 0.05, 0.1, 0.5, 1, 5, 10, 20, 30, 45, 60];

/** The lists of a status, and what upstream calls the containers in each. */
const containerTypes = [
  ['initContainerStatuses', 'init_container'],
  ['containerStatuses', 'container'],
  ['ephemeralContainerStatuses', 'ephemeral_container'],
] as const;

/** What is counted of pods' statuses, under upstream's names. */
export function statusFigures(metrics: MetricsRegistry) {
  const duration = metrics.histogram(
    'kubelet_pod_status_sync_duration_seconds',
    'Seconds from the first change of a status that was not told to the API server’s answer.',
    syncSeconds,
  );
  const ends = metrics.counter(
    'kubelet_terminated_containers_total',
    'Ends of containers, by exit code and reason.',
  );
  return {
    told: (afterMs: number) => duration.observe(afterMs / 1_000),
    /** Counts what ended between two statuses of a pod. */
    changed(before: PodStatus | undefined, after: PodStatus) {
      for (const [list, containerType] of containerTypes) {
        for (const { exitCode, reason } of newEnds(before?.[list] ?? [], after[list] ?? []))
          ends.add(1, { container_type: containerType, exit_code: String(exitCode), reason: reason ?? '' });
      }
    },
  };
}

function newEnds(before: readonly ContainerStatus[], after: readonly ContainerStatus[]) {
  const known = new Set(before.filter(({ state }) => state?.terminated).map(({ name }) => name));
  return after.flatMap(({ name, state }) =>
    known.has(name) || !state?.terminated ? [] : [state.terminated],
  );
}

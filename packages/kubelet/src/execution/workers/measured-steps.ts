import type { Clock } from '@wherry/clock';
import { isTerminalPhase } from '@wherry/podrules';
import type { MetricsRegistry } from '@wherry/telemetry';
import { defaultBuckets } from '../../ground/measured-runtime.ts';
import type { PodSteps } from './pod-worker.ts';

const startBuckets = [
  ...[0.5, 1, 2, 3, 4, 5, 6, 8, 10, 20, 30, 45, 60, 120, 180, 240, 300, 360, 480, 600, 900, 1_200],
  ...[1_800, 2_700, 3_600],
];

/** What the steps are measured with. */
export interface MeasuredStepsOptions {
  steps: PodSteps;
  clock: Clock;
  metrics: MetricsRegistry;
  /** The pod's phase as it is told last. */
  phaseOf(uid: string): string | undefined;
}

/** The same steps, timed: each pass by what it is for, and how long a pod takes from its first one until it runs. */
export function measuredSteps({ steps, clock, metrics, phaseOf }: MeasuredStepsOptions): PodSteps {
  const passes = metrics.histogram(
    'kubelet_pod_worker_duration_seconds',
    'Seconds that one pass over a pod took: its first (create), a later one (sync) or one that stops it (kill).',
    defaultBuckets,
  );
  const starts = metrics.histogram(
    'kubelet_pod_start_duration_seconds',
    'Seconds from when a pod was first seen until it ran.',
    startBuckets,
  );
  const firstSeenMs = new Map<string, number>();
  const known = new Set<string>();
  const timed = async <T>(operation: string, work: Promise<T>): Promise<T> => {
    const startedMs = clock.monotonicMs();
    try {
      return await work;
    } finally {
      passes.observe((clock.monotonicMs() - startedMs) / 1_000, { operation_type: operation });
    }
  };
  const noteStart = (uid: string) => {
    const phase = phaseOf(uid);
    const seenMs = firstSeenMs.get(uid);
    if (seenMs === undefined || (phase !== 'Running' && !isTerminalPhase(phase))) return;
    firstSeenMs.delete(uid);
    if (phase === 'Running') starts.observe((clock.monotonicMs() - seenMs) / 1_000);
  };
  return {
    async sync(pod, signal) {
      const { uid } = pod.metadata;
      const isFirst = !known.has(uid);
      if (isFirst) {
        known.add(uid);
        // One that ran before this kubelet did is not started by it.
        if ((pod.status?.phase ?? 'Pending') === 'Pending') firstSeenMs.set(uid, clock.monotonicMs());
      }
      try {
        return await timed(isFirst ? 'create' : 'sync', steps.sync(pod, signal));
      } finally {
        noteStart(uid);
      }
    },
    terminate: (pod, request, signal) => timed('kill', steps.terminate(pod, request, signal)),
    async clear(pod, request, signal) {
      await timed('kill', steps.clear(pod, request, signal));
      firstSeenMs.delete(pod.metadata.uid);
      known.delete(pod.metadata.uid);
    },
  };
}

import type { Clock } from '@wherry/clock';
import { isTerminalPhase, podAnnotations } from '@wherry/podrules';
import type { MetricsRegistry } from '@wherry/telemetry';
import { defaultBuckets } from '../../ground/measured-runtime.ts';
import type { AssignedPod } from '../../pod/assigned-pod.ts';
import { startBuckets } from '../../reporting/status/start-times.ts';
import type { PodSteps } from './pod-worker.ts';

/** Upstream's bounds of how many containers a pod has. */
const countBuckets = [1, 2, 4, 8, 16];

/** What the steps are measured with. */
export interface MeasuredStepsOptions {
  steps: PodSteps;
  clock: Clock;
  metrics: MetricsRegistry;
  /** The pod's phase as it is told last. */
  phaseOf(uid: string): string | undefined;
}

/** The same steps, timed: each pass by what it is for, and how long a pod takes from when it was seen to its first one and until it runs. */
export function measuredSteps({ steps, clock, metrics, phaseOf }: MeasuredStepsOptions): PodSteps {
  const passes = metrics.histogram(
    'kubelet_pod_worker_duration_seconds',
    'Seconds that one pass over a pod took: its first (create), one over another version of it (update), a later one (sync), one that stops it (kill) or clears what is left (terminated).',
    defaultBuckets,
  );
  const starts = metrics.plainHistogram(
    'kubelet_pod_start_duration_seconds',
    'Seconds from when a pod was first seen until it ran.',
    startBuckets,
  );
  const firstPasses = metrics.plainHistogram(
    'kubelet_pod_worker_start_duration_seconds',
    'Seconds from when a pod was first seen until its first pass.',
    defaultBuckets,
  );
  const containers = metrics.plainHistogram(
    'kubelet_containers_per_pod_count',
    'How many containers the pods that are begun have.',
    countBuckets,
  );
  const firstSeenMs = new Map<string, number>();
  /** As they were passed over last. */
  const known = new Map<string, AssignedPod>();
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
    if (phase === 'Running') starts.observe((clock.nowMs() - seenMs) / 1_000);
  };
  const noteFirst = ({ metadata, spec, status }: AssignedPod) => {
    const nowMs = clock.nowMs();
    const seenMs = Date.parse(metadata.annotations?.[podAnnotations.seen] ?? '');
    containers.observe(spec.containers.length);
    if (!Number.isNaN(seenMs)) firstPasses.observe((nowMs - seenMs) / 1_000);
    // One that ran before this kubelet did is not started by it.
    if ((status?.phase ?? 'Pending') === 'Pending') firstSeenMs.set(metadata.uid, seenMs || nowMs);
  };
  return {
    async sync(pod, signal) {
      const { uid } = pod.metadata;
      const before = known.get(uid);
      if (!before) noteFirst(pod);
      known.set(uid, pod);
      const operation = before === pod ? 'sync' : 'update';
      try {
        return await timed(before ? operation : 'create', steps.sync(pod, signal));
      } finally {
        noteStart(uid);
      }
    },
    terminate: (pod, request, signal) => timed('kill', steps.terminate(pod, request, signal)),
    async clear(pod, request, signal) {
      await timed('terminated', steps.clear(pod, request, signal));
      firstSeenMs.delete(pod.metadata.uid);
      known.delete(pod.metadata.uid);
    },
  };
}

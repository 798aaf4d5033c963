import type { Clock } from '@wherry/clock';
import type { MetricsRegistry } from '@wherry/telemetry';
import { defaultBuckets } from '../ground/measured-runtime.ts';
import type { LifecycleEventsOptions } from './lifecycle-events.ts';
import type { InspectPod } from './pod-cache.ts';

/** What listens to the runtime is measured by. */
export type ListFigures = Required<Pick<LifecycleEventsOptions, 'onMeasured' | 'stream'>> & {
  /** The same question, timed. */
  timed(inspect: InspectPod): InspectPod;
};

/** How the runtime is followed: whole lists, questions about one pod, and the stream of its events; names are upstream's. */
export function listFigures(metrics: MetricsRegistry, clock: Clock): ListFigures {
  const histogram = (name: string, help: string) =>
    metrics.plainHistogram(`kubelet_${name}_seconds`, help, defaultBuckets);
  const duration = histogram('pleg_relist_duration', 'Seconds that a full list of the runtime took.');
  const interval = histogram(
    'pleg_relist_interval',
    'Seconds between the beginnings of two full lists of the runtime.',
  );
  const ofPod = histogram('pleg_pod_relist_duration', 'Seconds that asking the runtime about one pod took.');
  const late = histogram(
    'evented_pleg_connection_latency',
    'Seconds from what an event of the runtime tells of until it came.',
  );
  const seen = metrics.plainGauge('kubelet_pleg_last_seen_seconds', 'When the runtime was last listed.');
  const opened = metrics.plainCounter(
    'kubelet_evented_pleg_connection_success_count',
    'Streams of events that the runtime was asked for.',
  );
  const failed = metrics.plainCounter(
    'kubelet_evented_pleg_connection_error_count',
    'Streams of events that broke, or that the runtime does not have.',
  );
  return {
    onMeasured(durationMs, intervalMs) {
      duration.observe(durationMs / 1_000);
      if (intervalMs !== undefined) interval.observe(intervalMs / 1_000);
      seen.set(Math.floor(clock.nowMs() / 1_000));
    },
    stream: {
      opened: () => opened.add(1),
      failed: () => failed.add(1),
      told: (lateMs) => late.observe(lateMs / 1_000),
    },
    timed: (inspect) => async (uid, signal) => {
      const startedMs = clock.monotonicMs();
      try {
        return await inspect(uid, signal);
      } finally {
        ofPod.observe((clock.monotonicMs() - startedMs) / 1_000);
      }
    },
  };
}

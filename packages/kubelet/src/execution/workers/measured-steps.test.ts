import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FakeClock } from '@wherry/clock';
import { MetricsRegistry } from '@wherry/telemetry';
import { container, pod } from '../../../test/builders.ts';
import { measuredSteps } from './measured-steps.ts';
import type { PodSteps } from './pod-worker.ts';

test('passes over a pod are timed by what they are for, and its start once', async () => {
  const clock = new FakeClock();
  const metrics = new MetricsRegistry();
  let phase = 'Pending';
  const steps = {
    async sync() {
      await clock.advanceAsync(700);
      return { isTerminal: false, didWork: false, retryAfterMs: 0 };
    },
    terminate: () => clock.advanceAsync(20),
    clear: async () => {},
  } as PodSteps;
  const measured = measuredSteps({ steps, clock, metrics, phaseOf: () => phase });
  const seen = new Date(clock.nowMs()).toISOString();
  const of = pod({ containers: [container('a')] }, { annotations: { 'kubernetes.io/config.seen': seen } });
  await clock.advanceAsync(300);
  const { signal } = new AbortController();
  const request = { graceSeconds: 1, verdict: undefined, isOrphan: false };
  await measured.sync(of, signal);
  phase = 'Running';
  for (const version of [of, of, { ...of }]) await measured.sync(version, signal);
  await measured.terminate(of, request, signal);
  await measured.clear(of, request, signal);
  const page = metrics.render().split('\n');
  for (const line of [
    'kubelet_pod_worker_duration_seconds_count{operation_type="create"} 1',
    'kubelet_pod_worker_duration_seconds_count{operation_type="sync"} 2',
    'kubelet_pod_worker_duration_seconds_bucket{operation_type="kill",le="0.025"} 1',
    'kubelet_pod_worker_duration_seconds_count{operation_type="update"} 1',
    'kubelet_pod_worker_duration_seconds_count{operation_type="terminated"} 1',
    'kubelet_pod_worker_start_duration_seconds_sum 0.3',
    'kubelet_containers_per_pod_count_bucket{le="1"} 1',
    'kubelet_pod_start_duration_seconds_sum 1.7',
    'kubelet_pod_start_duration_seconds_count 1',
  ])
    assert.ok(page.includes(line), `${line}\n${page.join('\n')}`);
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FakeClock } from '@wherry/clock';
import type { CriClient } from '@wherry/cri';
import { MetricsRegistry } from '@wherry/telemetry';
import { measuredRuntime } from './measured-runtime.ts';

test('calls of the runtime are counted and timed by upstream’s names, failures too', async () => {
  const clock = new FakeClock();
  const metrics = new MetricsRegistry();
  const cri = {
    runtime: {
      runPodSandbox: async () => {
        await clock.advanceAsync(30);
        return { podSandboxId: 'made' };
      },
      stopContainer: () => Promise.reject(new Error('no')),
      getContainerEvents: () => 'a stream',
    },
    images: {},
    close: () => {},
  } as unknown as CriClient;
  const { runtime } = measuredRuntime(cri, metrics, clock);
  assert.equal((await runtime.runPodSandbox({ runtimeHandler: 'deep' })).podSandboxId, 'made');
  await assert.rejects(runtime.stopContainer({ containerId: 'x' }), /no/);
  assert.equal(runtime.getContainerEvents({}), 'a stream');
  const page = metrics.render().split('\n');
  for (const line of [
    'kubelet_runtime_operations_total{operation_type="run_podsandbox"} 1',
    'kubelet_runtime_operations_total{operation_type="stop_container"} 1',
    'kubelet_runtime_operations_errors_total{operation_type="stop_container"} 1',
    'kubelet_runtime_operations_duration_seconds_bucket{operation_type="run_podsandbox",le="0.0125"} 0',
    'kubelet_runtime_operations_duration_seconds_bucket{operation_type="run_podsandbox",le="0.03125"} 1',
    'kubelet_run_podsandbox_duration_seconds_count{runtime_handler="deep"} 1',
  ])
    assert.ok(page.includes(line), line);
});

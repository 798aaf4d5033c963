import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FakeClock } from '@wherry/clock';
import { MetricsRegistry } from '@wherry/telemetry';
import { VolumeTimes } from './volume-times.ts';

test('each try to put a volume in place is timed, and all of them together once it is', () => {
  const clock = new FakeClock();
  const metrics = new MetricsRegistry();
  const times = new VolumeTimes(metrics, clock);
  const attempt = (key: string, isPlaced: boolean) => {
    const tried = times.begin(key);
    clock.advance(500);
    tried('kubernetes.io/nfs', isPlaced);
    clock.advance(2_000);
  };
  attempt('u/v', false);
  attempt('u/v', true);
  attempt('gone/v', false);
  times.forget('gone');
  attempt('gone/v', true);
  const page = metrics.render().split('\n');
  const plugin = 'plugin_name="kubernetes.io/nfs",operation_name="overall_volume_mount"';
  const tried = 'volume_plugin="kubernetes.io/nfs",operation_name="volume_mount"';
  for (const line of [
    `storage_operation_duration_seconds_sum{${tried},status="fail-unknown",migrated="false"} 1`,
    `storage_operation_duration_seconds_count{${tried},status="success",migrated="false"} 2`,
    `volume_operation_total_seconds_sum{${plugin}} 3.5`,
    `volume_operation_total_seconds_count{${plugin}} 2`,
  ])
    assert.ok(page.includes(line), `${line}\n${page.join('\n')}`);
});

test('finding out what a volume holds is timed by how, whether it can be found out or not', async () => {
  const clock = new FakeClock();
  const metrics = new MetricsRegistry();
  const times = new VolumeTimes(metrics, clock);
  await times.measured('du', () => clock.advanceAsync(30));
  await assert.rejects(times.measured('a.example', () => Promise.reject(new Error('it is away'))));
  const counted = metrics
    .render()
    .match(/(?<=^kubelet_volume_metric_collection_duration_seconds_(?:sum|count)).*$/gm);
  assert.deepEqual(counted, [
    '{metric_source="du"} 0.03',
    '{metric_source="du"} 1',
    '{metric_source="a.example"} 0',
    '{metric_source="a.example"} 1',
  ]);
});

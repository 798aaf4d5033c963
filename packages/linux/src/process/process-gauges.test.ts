import assert from 'node:assert/strict';
import { it } from 'node:test';
import { MetricsRegistry } from '@wherry/telemetry';
import { processGauges } from './process-gauges.ts';

it('shows what the process takes whenever it is asked', () => {
  const metrics = new MetricsRegistry();
  processGauges(metrics, Date.now());
  const figures = () =>
    new Map(
      metrics
        .render()
        .split('\n')
        .filter((line) => line !== '' && !line.startsWith('#'))
        .map((line) => line.split(' ') as [string, string]),
    );
  const first = figures();
  assert.ok(Number(first.get('process_resident_memory_bytes')) > 1e6);
  assert.ok(Number(first.get('process_virtual_memory_bytes')) > 1e6);
  assert.ok(Number(first.get('process_open_fds')) > 2);
  assert.ok(Number(first.get('process_max_fds')) > 2);
  assert.ok(Math.abs(Number(first.get('process_start_time_seconds')) * 1_000 - Date.now()) < 60_000);
  for (const untilMs = performance.now() + 30; performance.now() < untilMs; );
  assert.ok(
    Number(figures().get('process_cpu_seconds_total')) > Number(first.get('process_cpu_seconds_total')),
  );
});

import assert from 'node:assert/strict';
import { it } from 'node:test';
import { FakeClock } from '@wherry/clock';
import { MetricsRegistry } from '@wherry/telemetry';
import { ControllerFigures } from './controller-figures.ts';

function begin() {
  const clock = new FakeClock();
  const metrics = new MetricsRegistry();
  const figures = new ControllerFigures(metrics, { clock, managers: ['kube-controller-manager'] });
  return { clock, metrics, figures, manager: figures.manager! };
}

it('zones of nodes are told of as they are, and as empty when they are gone', () => {
  const { metrics, manager } = begin();
  manager.nodes.found(new Map([['z', { size: 4, unhealthy: 1 }]]));
  assert.match(metrics.render(), /^node_collector_zone_health\{zone="z"\} 75$/m);
  assert.match(metrics.render(), /^node_collector_evictions_total\{zone="z"\} 0$/m);
  manager.nodes.gaveUp('z');
  manager.nodes.found(new Map());
  assert.match(metrics.render(), /^node_collector_zone_size\{zone="z"\} 0$/m);
  assert.match(metrics.render(), /^node_collector_zone_health\{zone="z"\} 100$/m);
  assert.match(metrics.render(), /^node_collector_evictions_total\{zone="z"\} 1$/m);
});

it('looks at jobs and autoscalers are timed, and those that fail are told apart', async () => {
  const { clock, metrics, manager } = begin();
  await manager.jobs.timed('Indexed', async () => clock.advance(1_000));
  const failure = async () => {
    throw new Error('not yet');
  };
  await assert.rejects(manager.jobs.timed('NonIndexed', failure));
  await manager.autoscaler.timed(async () => 'scale_up');
  await assert.rejects(manager.autoscaler.timed(failure));
  const text = metrics.render();
  const jobs = 'job_controller_job_sync';
  assert.ok(
    text.includes(
      `${jobs}_duration_seconds_sum{completion_mode="Indexed",result="success",action="reconciling"} 1\n`,
    ),
  );
  assert.ok(
    text.includes(`${jobs}s_total{completion_mode="NonIndexed",result="error",action="reconciling"} 1\n`),
  );
  const scaled = 'horizontal_pod_autoscaler_controller_reconciliations_total';
  assert.ok(text.includes(`${scaled}{action="scale_up",error="none"} 1\n`));
  assert.ok(text.includes(`${scaled}{action="none",error="internal"} 1\n`));
});

it('who leads is told of, and who leads for longer than his lease holds', () => {
  const { metrics, figures } = begin();
  figures.election.renewed('kube-controller-manager', 15_000);
  figures.election.tell('kube-controller-manager', true);
  assert.match(metrics.render(), /^leader_election_master_status\{name="kube-controller-manager"\} 1$/m);
  assert.deepEqual([figures.election.isOverdue(35_000), figures.election.isOverdue(35_001)], [false, true]);
  figures.election.tell('kube-controller-manager', false);
  assert.equal(figures.election.isOverdue(99_000), false);
  assert.match(metrics.render(), /^leader_election_master_status\{name="kube-controller-manager"\} 0$/m);
});

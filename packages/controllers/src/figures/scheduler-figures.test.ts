import assert from 'node:assert/strict';
import { it } from 'node:test';
import { FakeClock } from '@wherry/clock';
import { MetricsRegistry } from '@wherry/telemetry';
import { SchedulingQueue } from '../scheduler/scheduling-queue.ts';
import { SchedulerFigures } from './scheduler-figures.ts';

function begin() {
  const clock = new FakeClock();
  const metrics = new MetricsRegistry();
  const figures = new SchedulerFigures(metrics, clock);
  const figure = (series: string) => {
    const line = metrics
      .render()
      .split('\n')
      .find((each) => each.startsWith(`scheduler_${series} `));
    return line === undefined ? undefined : Number(line.split(' ').at(-1));
  };
  return { clock, figures, figure };
}

it('tells how often a place was looked for, and how long a pod waited from its first look on', () => {
  const { clock, figures, figure } = begin();
  const pod = { uid: 'a', profile: 'default-scheduler' };
  figures.looksFor('a');
  figures.ended(pod, 'unschedulable', 20);
  clock.advance(3_000);
  figures.looksFor('a');
  figures.looked(5);
  figures.ended(pod, 'scheduled', 40);
  const attempts = (result: string) =>
    figure(`schedule_attempts_total{profile="default-scheduler",result="${result}"}`);
  assert.deepEqual([attempts('unschedulable'), attempts('scheduled'), attempts('error')], [1, 1, undefined]);
  assert.equal(figure('pod_scheduling_attempts_sum'), 2);
  assert.equal(figure('pod_scheduling_sli_duration_seconds_sum{attempts="2"}'), 3);
  assert.equal(figure('scheduling_algorithm_duration_seconds_sum'), 0.005);
  figures.preempts(3);
  figures.preempts(0);
  assert.deepEqual([figure('preemption_attempts_total'), figure('preemption_victims_sum')], [2, 3]);
});

it('tells which pods wait, and of which plug-ins, as long as somebody schedules', () => {
  const { figures, figure } = begin();
  const queue = new SchedulingQueue(undefined, (to, event) => figures.came(to, event));
  const info = { uid: 'a', priority: 0 } as Parameters<SchedulingQueue['add']>[0];
  figures.follow({
    pending: () => ({ ...queue.counts, gated: 1 }),
    refusedBy: () =>
      [...queue.refusals()].map(({ plugin }) => ({ plugin, profile: 'default-scheduler', count: 1 })),
    known: () => ({ nodes: 2, pods: 3, assumed_pods: 0 }),
  });
  queue.add(info);
  assert.equal(figure('pending_pods{queue="active"}'), 1);
  queue.pop(0);
  queue.park('a', new Set(['NodeResourcesFit']));
  const refused = 'unschedulable_pods{plugin="NodeResourcesFit",profile="default-scheduler"}';
  assert.deepEqual([figure('pending_pods{queue="unschedulable"}'), figure(refused)], [1, 1]);
  assert.equal(figure('queue_incoming_pods_total{queue="unschedulable",event="ScheduleAttemptFailure"}'), 1);
  queue.wake('node', 60_000);
  assert.equal(figure('queue_incoming_pods_total{queue="active",event="NodeUpdate"}'), 1);
  assert.deepEqual([figure(refused), figure('cache_size{type="nodes"}')], [undefined, 2]);
  figures.follow(undefined);
  assert.equal(figure('pending_pods{queue="active"}'), 0);
});

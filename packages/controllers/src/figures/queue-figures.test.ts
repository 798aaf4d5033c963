import assert from 'node:assert/strict';
import { it } from 'node:test';
import { WorkQueue } from '@wherry/client';
import { FakeClock } from '@wherry/clock';
import { MetricsRegistry, silentLogger } from '@wherry/telemetry';
import { limits } from '../limits.ts';
import { QueueFigures } from './queue-figures.ts';

const turn = () => new Promise((resolve) => setImmediate(resolve));

it('a queue tells of keys that wait, are worked on, fail and are dropped, by upstream’s name for it', async () => {
  const clock = new FakeClock();
  const metrics = new MetricsRegistry();
  const figures = new QueueFigures(metrics, clock).of('deployment-controller');
  const gates = new Map<string, PromiseWithResolvers<void>>();
  const queue = new WorkQueue({
    ...{ name: 'deployment-controller', clock, logger: silentLogger, concurrency: 1, observer: figures },
    work: (key) => {
      const gate = Promise.withResolvers<void>();
      gates.set(key, gate);
      return gate.promise;
    },
  });
  const figure = (name: string) =>
    Number(new RegExp(`^workqueue_${name}\\{name="deployment"\\} (.*)$`, 'm').exec(metrics.render())?.[1]);
  for (const key of ['a', 'b', 'b']) queue.add(key);
  await turn();
  clock.advance(2_000);
  assert.deepEqual([figure('adds_total'), figure('depth')], [2, 1]);
  assert.deepEqual([figure('unfinished_work_seconds'), figure('longest_running_processor_seconds')], [2, 2]);
  gates.get('a')?.reject(new Error('not yet'));
  await turn();
  assert.deepEqual([figure('retries_total'), figure('depth')], [1, 0]);
  assert.equal(figure('work_duration_seconds_sum'), 2);
  assert.equal(figure('queue_duration_seconds_sum'), 2);
  gates.get('b')?.resolve();
  await turn();
  assert.equal(figure('unfinished_work_seconds'), 0);
  clock.advance(limits.retryMs.initialMs * 2);
  await turn();
  assert.equal(figure('adds_total'), 3);
  queue.add('c');
  gates.get('a')?.resolve();
  await queue.close();
  assert.equal(figure('depth'), 0);
});

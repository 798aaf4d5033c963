import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { KubeClient, WorkQueue } from '@wherry/client';
import { FakeClock } from '@wherry/clock';
import { silentLogger } from '@wherry/telemetry';
import { ClusterView } from './cluster-view.ts';
import { defineController } from './run-controller.ts';

const turn = () => new Promise((resolve) => setImmediate(resolve));

it('what is worked on time and again is so however much else there is to do', async () => {
  const clock = new FakeClock();
  const worked: string[] = [];
  const queues: WorkQueue[] = [];
  const plan = defineController({
    ...{ name: 'test', watches: {}, writes: [], periodMs: 1000 },
    build: ({ queue }) => {
      queues.push(queue);
      return { reconcile: async (key) => void worked.push(key) };
    },
  });
  // Without watches it asks the cluster for nothing.
  const client = {} as KubeClient;
  const controller = plan.start(new ClusterView({ client, rootCaPem: '', clock, logger: silentLogger }));
  for (let passed = 0; passed < 3600; passed += 600) {
    queues[0]?.add('busy');
    await turn();
    clock.advance(600);
    await turn();
  }
  assert.deepEqual(
    worked.filter((key) => key === ''),
    ['', '', ''],
  );
  assert.equal(worked.filter((key) => key === 'busy').length, 6);
  await controller.close();
});

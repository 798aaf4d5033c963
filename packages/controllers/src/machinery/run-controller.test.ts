import assert from 'node:assert/strict';
import { it } from 'node:test';
import { type KubeClient, kinds, type WorkQueue } from '@wherry/client';
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

it('works on no key before all that it watches has been listed', async () => {
  const listed = new Set<string>();
  const told: { added?(object: object): void; synced?(): void }[] = [];
  const acquire = ({ type }: { type: { plural: string } }) => ({
    objects: new Map(),
    get hasSynced() {
      return listed.has(type.plural);
    },
    on: (listener: (typeof told)[number]) => void told.push(listener),
    close: async () => {},
  });
  const worked: string[] = [];
  const plan = defineController({
    ...{ name: 'test', writes: [], watches: { pods: { type: kinds.pods }, nodes: { type: kinds.nodes } } },
    build: () => ({
      keysOf: { pods: ({ metadata }) => [metadata.name ?? ''] },
      reconcile: async (key) => void worked.push(key),
    }),
  });
  const cluster = {
    clock: new FakeClock(),
    logger: silentLogger,
    concurrency: new Map(),
    informers: { acquire },
  };
  const controller = plan.start(cluster as unknown as ClusterView);
  for (const { added } of told) added?.({ metadata: { name: 'web' } });
  for (const plural of ['pods', 'nodes']) {
    await turn();
    assert.deepEqual(worked, [], `before ${plural}`);
    listed.add(plural);
    for (const { synced } of told) synced?.();
  }
  await turn();
  assert.deepEqual(worked, ['web']);
  await controller.close();
});

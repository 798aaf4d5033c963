import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FakeClock } from '@wherry/clock';
import { type Node, StatusError } from '@wherry/kubeapi';
import { MetricsRegistry } from '@wherry/telemetry';
import { reporterOf } from '../../../test/node-reporter.ts';
import { NodeStartTimes } from './node-start-times.ts';

const as = (status: string): Node => ({
  ...{ apiVersion: 'v1', kind: 'Node', metadata: { name: 'n1', uid: 'u' }, spec: {} },
  status: { conditions: [{ type: 'Ready', status }] },
});

/** What is told of a node that is ready some time after its kubelet began, which was 100 s after the boot. */
async function told(isThere: boolean) {
  const clock = new FakeClock({ nowMs: 100_000 });
  const metrics = new MetricsRegistry();
  const times = new NodeStartTimes({ metrics, clock, bootedAtMs: 0, startedAtMs: clock.nowMs() });
  let node = as('False');
  let isReady = false;
  const nodes = {
    async create() {
      await clock.advanceAsync(250);
      if (isThere) throw new StatusError({ code: 409, reason: 'AlreadyExists', message: 'it is there' });
      return node;
    },
    get: async () => node,
    patch: async () => {
      if (isReady) node = as('True');
      return node;
    },
  };
  const reporter = reporterOf({
    nodes,
    clock,
    registers: true,
    times,
    updateMs: 60_000,
    reportMs: 0,
    initialNode: async () => node,
    status: async () => ({ conditions: [] }),
  });
  await clock.advanceAsync(3_000);
  reporter.start();
  await clock.advanceAsync(1_000);
  await clock.advanceAsync(6_000);
  isReady = true;
  for (const _ of ['ready', 'and still ready']) {
    reporter.refresh();
    await clock.advanceAsync(0);
    await clock.advanceAsync(1_000);
  }
  reporter.close();
  const found = metrics.render().matchAll(/^kubelet_node_startup_(\w*?)_?duration_seconds (.*)$/gm);
  return Object.fromEntries([...found].map(([, name, value]) => [name || 'whole', Number(value)]));
}

test('a node that was not there before tells how long each part of its start took, once', async () => {
  const { post_registration, whole, ...rest } = await told(false);
  assert.deepEqual(rest, { pre_kubelet: 100, pre_registration: 3, registration: 0.25 });
  assert.equal(whole, 100 + 3 + 0.25 + post_registration!);
  assert.ok(post_registration! > 6 && post_registration! < 8, String(post_registration));
});

test('a node that was there before tells of no start', async () => {
  assert.deepEqual(new Set(Object.values(await told(true))), new Set([0]));
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { KubeClient } from '@wherry/client';
import { FakeClock } from '@wherry/clock';
import type { Node } from '@wherry/kubeapi';
import { silentLogger } from '@wherry/telemetry';
import { NodeReporter } from './node-reporter.ts';

const conditions = [
  { type: 'MemoryPressure', status: 'False' },
  { type: 'Ready', status: 'True' },
];

test('a node that is made tells how it is', async () => {
  const clock = new FakeClock();
  const events: string[] = [];
  const made = { metadata: { name: 'n1', uid: 'u' }, status: { conditions } } as Node;
  const client = {
    resource: () => ({ create: async () => made, get: async () => made, patch: async () => made }),
  } as unknown as KubeClient;
  const reporter = new NodeReporter({
    ...{ client, clock, logger: silentLogger, nodeName: 'n1', registers: true, onRegistered: () => {} },
    recorder: { record: ({ message }) => void events.push(message) },
    initialNode: async () => made,
    status: async () => ({ conditions }) as Node['status'] & object,
    times: { tried: () => {}, registered: () => {}, ready: () => {} },
    platformLabels: {},
    updateMs: 10_000,
    reportMs: 20_000,
  });
  reporter.start();
  await clock.advanceAsync(60_000);
  reporter.close();
  assert.deepEqual(events, [
    'Node n1 status is now: NodeHasSufficientMemory',
    'Node n1 status is now: NodeReady',
  ]);
});

test('a node tells once that it was rebooted, and each time that pods may be scheduled on it no more, or again', async () => {
  const clock = new FakeClock();
  const events: string[] = [];
  let node: Node = {
    ...{ apiVersion: 'v1', kind: 'Node', metadata: { name: 'n1', uid: 'u' }, spec: {} },
    status: { nodeInfo: { bootID: 'old' } } as Node['status'] & object,
  };
  const client = {
    resource: () => ({
      get: async () => node,
      patch: async ({ patch }: { patch: Node }) => {
        node = { ...node, status: { ...node.status, ...patch.status } };
        return node;
      },
    }),
  } as unknown as KubeClient;
  const reporter = new NodeReporter({
    ...{ client, clock, logger: silentLogger, nodeName: 'n1', registers: false, onRegistered: () => {} },
    recorder: { record: ({ type, message }) => void events.push(`${type}: ${message}`) },
    initialNode: () => assert.fail('the node is there'),
    status: async () => ({ nodeInfo: { bootID: 'new' } }) as Node['status'] & object,
    times: { tried: () => {}, registered: () => {}, ready: () => {} },
    platformLabels: {},
    updateMs: 10_000,
    reportMs: 20_000,
  });
  const told = async () => {
    await clock.advanceAsync(11_000);
    return events.splice(0);
  };
  reporter.start();
  assert.deepEqual(await told(), ['Warning: Node n1 has been rebooted, boot id: new']);
  node = { ...node, spec: { unschedulable: true } };
  assert.deepEqual(await told(), ['Normal: Node n1 status is now: NodeNotSchedulable']);
  assert.deepEqual(await told(), []);
  node = { ...node, spec: {} };
  assert.deepEqual(await told(), ['Normal: Node n1 status is now: NodeSchedulable']);
  reporter.close();
});

test('labels that say which programs a node runs are set right when somebody changed them, and no others', async () => {
  const clock = new FakeClock();
  const patches: unknown[] = [];
  let labels: Record<string, string> = { 'kubernetes.io/os': 'linux', team: 'a' };
  const read = () => ({ metadata: { name: 'n1', uid: 'u', labels } }) as unknown as Node;
  const client = {
    resource: () => ({
      get: async () => read(),
      patch: async ({ patch }: { patch: Node }) => {
        if (patch.metadata) patches.push(patch.metadata);
        labels = { ...labels, ...patch.metadata?.labels };
        return read();
      },
    }),
  } as unknown as KubeClient;
  const reporter = new NodeReporter({
    ...{ client, clock, logger: silentLogger, nodeName: 'n1', registers: false, onRegistered: () => {} },
    recorder: { record: () => {} },
    initialNode: () => assert.fail('the node is there'),
    status: async () => ({}) as Node['status'] & object,
    times: { tried: () => {}, registered: () => {}, ready: () => {} },
    platformLabels: { 'kubernetes.io/os': 'linux' },
    updateMs: 10_000,
    reportMs: 3_600_000,
  });
  reporter.start();
  await clock.advanceAsync(21_000);
  assert.deepEqual(patches, []);
  labels = { 'kubernetes.io/os': 'plan9', team: 'b' };
  await clock.advanceAsync(11_000);
  assert.deepEqual(patches, [{ labels: { 'kubernetes.io/os': 'linux' } }]);
  assert.deepEqual(labels, { 'kubernetes.io/os': 'linux', team: 'b' });
  reporter.close();
});

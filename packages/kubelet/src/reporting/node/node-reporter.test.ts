import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FakeClock } from '@wherry/clock';
import { type Node, StatusError } from '@wherry/kubeapi';
import { silentLogger } from '@wherry/telemetry';
import { reporterOf } from '../../../test/node-reporter.ts';
import { PodRanges } from './pod-ranges.ts';

const conditions = [
  { type: 'MemoryPressure', status: 'False' },
  { type: 'Ready', status: 'True' },
];

test('a node that is made tells how it is', async () => {
  const clock = new FakeClock();
  const events: string[] = [];
  const made = { metadata: { name: 'n1', uid: 'u' }, status: { conditions } } as Node;
  const nodes = { create: async () => made, get: async () => made, patch: async () => made };
  const reporter = reporterOf({
    nodes,
    clock,
    registers: true,
    recorder: { record: ({ message }) => void events.push(message) },
    initialNode: async () => made,
    status: async () => ({ conditions }) as Node['status'] & object,
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
  const nodes = {
    get: async () => node,
    patch: async ({ patch }: { patch: Node }) => {
      node = { ...node, status: { ...node.status, ...patch.status } };
      return node;
    },
  };
  const reporter = reporterOf({
    nodes,
    clock,
    recorder: { record: ({ type, message }) => void events.push(`${type}: ${message}`) },
    status: async () => ({ nodeInfo: { bootID: 'new' } }) as Node['status'] & object,
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

test('a node that another machine reports as, too, says so', async () => {
  const clock = new FakeClock();
  const events: string[] = [];
  const written = (bootID: string) => ({ nodeInfo: { bootID } }) as Node['status'] & object;
  const other = { ...written('other'), addresses: [{ type: 'InternalIP', address: '192.0.2.9' }] };
  let status: Node['status'] & object = written('own');
  const read = () => ({ metadata: { name: 'n1', uid: 'u' }, status }) as Node;
  const reporter = reporterOf({
    nodes: {
      get: async () => read(),
      patch: async ({ patch }: { patch: Node }) => {
        status = { ...status, ...patch.status };
        return read();
      },
    },
    clock,
    recorder: { record: ({ reason }) => void events.push(reason) },
    status: async () => written('own'),
  });
  reporter.start();
  for (let count = 0; count < 3; count += 1) {
    await clock.advanceAsync(11_000);
    status = other;
  }
  await clock.advanceAsync(11_000);
  reporter.close();
  assert.deepEqual(events, ['Rebooted', 'NodeNameConflict', 'NodeNameConflict']);
});

test('labels and annotations that are the kubelet’s own are set right when somebody changed them, and no others', async () => {
  const clock = new FakeClock();
  const patches: unknown[] = [];
  let labels: Record<string, string> = { 'kubernetes.io/os': 'linux', team: 'a' };
  let annotations: Record<string, string> = { 'example.com/its': 'own' };
  const read = () => ({ metadata: { name: 'n1', uid: 'u', labels, annotations } }) as unknown as Node;
  const nodes = {
    get: async () => read(),
    patch: async ({ patch }: { patch: Node }) => {
      if (patch.metadata) patches.push(patch.metadata);
      labels = { ...labels, ...patch.metadata?.labels };
      if (patch.metadata?.annotations) annotations = { 'example.com/its': 'own' };
      return read();
    },
  };
  const reporter = reporterOf({
    nodes,
    clock,
    platformLabels: { 'kubernetes.io/os': 'linux' },
    annotations: { 'example.com/its': 'own', 'example.com/none': undefined },
    reportMs: 3_600_000,
  });
  reporter.start();
  await clock.advanceAsync(21_000);
  assert.deepEqual(patches, []);
  labels = { 'kubernetes.io/os': 'plan9', team: 'b' };
  await clock.advanceAsync(11_000);
  assert.deepEqual(patches.splice(0), [{ labels: { 'kubernetes.io/os': 'linux' } }]);
  assert.deepEqual(labels, { 'kubernetes.io/os': 'linux', team: 'b' });
  annotations = { 'example.com/none': 'some', other: 'x' };
  await clock.advanceAsync(11_000);
  assert.deepEqual(patches, [{ annotations: { 'example.com/its': 'own', 'example.com/none': null } }]);
  reporter.close();
});

test('what others say of the node, and the order of it, is no reason to report', async () => {
  const clock = new FakeClock();
  let patches = 0;
  const others = [{ type: 'NetworkUnavailable', status: 'False' }, ...conditions.toReversed()];
  const present = { metadata: { name: 'n1', uid: 'u' }, status: { conditions: others } } as Node;
  const nodes = {
    get: async () => present,
    patch: async () => {
      patches += 1;
      return present;
    },
  };
  const reporter = reporterOf({
    nodes,
    clock,
    status: async () => ({ conditions }) as Node['status'] & object,
    reportMs: 300_000,
  });
  reporter.start();
  await clock.advanceAsync(140_000);
  assert.equal(patches, 1);
  // The second comes by half the interval earlier or later, those behind it do not.
  await clock.advanceAsync(320_000);
  assert.ok(patches >= 2, String(patches));
  reporter.close();
});

test('a node that is there already takes over labels of its kind and the annotation, not what its owner gave it', async () => {
  const clock = new FakeClock();
  const patches: unknown[] = [];
  const present = {
    metadata: {
      ...{ name: 'n1', uid: 'u' },
      labels: { 'kubernetes.io/hostname': 'old', 'kubernetes.io/os': 'linux', team: 'a' },
    },
    status: { conditions },
  } as unknown as Node;
  const labels = {
    ...{ 'kubernetes.io/hostname': 'n1', 'kubernetes.io/os': 'linux', team: 'b', role: 'c' },
    ...{ 'topology.kubernetes.io/zone': '' },
  };
  const nodes = {
    create: async () => Promise.reject(new StatusError({ code: 409 } as never)),
    get: async () => present,
    patch: async ({ patch }: { patch: Node }) => {
      if (patch.metadata) patches.push(patch.metadata);
      return present;
    },
  };
  const reporter = reporterOf({
    nodes,
    clock,
    registers: true,
    initialNode: async () =>
      ({ metadata: { name: 'n1', labels, annotations: { managed: 'true' } } }) as unknown as Node,
    status: async () => ({ conditions }) as Node['status'] & object,
    reportMs: 300_000,
  });
  reporter.start();
  await clock.advanceAsync(1_000);
  reporter.close();
  assert.deepEqual(patches, [
    { labels: { 'kubernetes.io/hostname': 'n1' }, annotations: { managed: 'true' } },
  ]);
});

test('the runtime is told the ranges of pods that the node was given, once, and again when that failed', async () => {
  const clock = new FakeClock();
  const told: unknown[] = [];
  let refuses = true;
  let spec = {};
  const read = () =>
    ({ metadata: { name: 'n1', uid: 'u' }, spec, status: { conditions } }) as unknown as Node;
  const ranges = new PodRanges(
    {
      updateRuntimeConfig: async (request) => {
        if (refuses) throw new Error('not now');
        told.push(request?.runtimeConfig?.networkConfig?.podCidr);
        return {};
      },
    },
    silentLogger,
  );
  const reporter = reporterOf({
    ...{ clock, nodes: { get: async () => read(), patch: async () => read() } },
    onRead: async (node) => void (await ranges.tell(node)),
  });
  reporter.start();
  await clock.advanceAsync(21_000);
  spec = { podCIDR: '10.244.1.0/24', podCIDRs: ['10.244.1.0/24', 'fd00:1::/64'] };
  await clock.advanceAsync(11_000);
  assert.deepEqual(told, []);
  refuses = false;
  await clock.advanceAsync(60_000);
  reporter.close();
  assert.deepEqual(told, ['10.244.1.0/24,fd00:1::/64']);
});

test('a node that was never Ready is looked at every second for two minutes, and one that was as often as it reports', async () => {
  const clock = new FakeClock();
  let looks = 0;
  let isReady = 'False';
  const read = async () => {
    looks += 1;
    return {
      metadata: { name: 'n1', uid: 'u' },
      status: { conditions: [{ type: 'Ready', status: isReady }] },
    };
  };
  const looksWithin = async (durationMs: number) => {
    looks = 0;
    await clock.advanceAsync(durationMs);
    return looks;
  };
  const reporter = reporterOf({
    ...{ clock, nodes: { get: read, patch: read }, reportMs: 3_600_000 },
    status: async () => ({ conditions: [{ type: 'Ready', status: isReady }] }) as Node['status'] & object,
  });
  reporter.start();
  assert.ok((await looksWithin(60_000)) >= 55);
  await clock.advanceAsync(70_000);
  assert.ok((await looksWithin(60_000)) <= 6);
  reporter.close();
  isReady = 'True';
  const other = reporterOf({
    ...{ clock, nodes: { get: read, patch: read }, reportMs: 3_600_000 },
    status: async () => ({ conditions: [{ type: 'Ready', status: isReady }] }) as Node['status'] & object,
  });
  other.start();
  assert.ok((await looksWithin(60_000)) <= 9);
  other.close();
});

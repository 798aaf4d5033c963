import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FakeClock } from '@wherry/clock';
import type { Node } from '@wherry/kubeapi';
import { reporterOf } from '../../../test/node-reporter.ts';
import { parseConfiguration } from '../../configuration/decode-configuration.ts';
import { nodeStatus } from './node-status.ts';

const { configuration } = parseConfiguration(
  '{"apiVersion": "kubelet.config.k8s.io/v1beta1", "kind": "KubeletConfiguration"}',
);

const statusAfter = (previous: Node | undefined, problems: readonly string[] = [], keepsAddresses = false) =>
  nodeStatus({
    ...{
      configuration,
      previous,
      nodeName: 'one',
      ips: ['10.0.0.1'],
      keepsAddresses,
      kubeletPort: 10_250,
      handlers: [],
    },
    machine: {
      ...{ machineId: '', systemUuid: '', bootId: '', bootedAtMs: 0, kernelVersion: '', osImage: '' },
      ...{
        hostname: 'one',
        architecture: 'amd64',
        cores: 2,
        memoryBytes: 2 ** 32,
        swapBytes: 0,
        processesMax: undefined,
        hugePages: [],
      },
    },
    runtime: { name: 'wherry', version: '0' },
    ...{ supplementalGroupsPolicy: true, filesystemBytes: 2 ** 36, images: [], problems, nowMs: 0 },
    ...{ pressures: new Set(), volumesInUse: [], devices: { capacity: {}, allocatable: {} } },
  });

const nodeWith = (capacity: Record<string, string>, allocatable: Record<string, string> = {}): Node => ({
  ...{ apiVersion: 'v1', kind: 'Node', metadata: { name: 'one', uid: 'u' }, spec: {} },
  status: { ...statusAfter(undefined), capacity, allocatable },
});

test('pods may have all of what somebody else counts in the capacity, and none of what is there no more', () => {
  const { capacity, allocatable } = statusAfter(
    nodeWith({ 'example.com/dongle': '4' }, { 'example.com/dongle': '1', 'example.com/gone': '2' }),
  );
  assert.equal(capacity?.['example.com/dongle'], '4');
  assert.equal(allocatable?.['example.com/dongle'], '4');
  assert.ok(allocatable && !Object.hasOwn(allocatable, 'example.com/gone'));
});

test('of several problems the node tells all, as a list', () => {
  const toldOf = (...problems: string[]) =>
    statusAfter(undefined, problems).conditions?.find(({ type }) => type === 'Ready')?.message;
  assert.equal(toldOf(), 'kubelet is posting ready status');
  assert.equal(toldOf('runtime'), 'runtime');
  assert.equal(toldOf('runtime', 'network', 'runtime'), '[runtime, network]');
});

test('what is no longer allocatable, and huge pages of no size of the machine, are taken out of the status that the API server has', async () => {
  const clock = new FakeClock();
  const patches: Node[] = [];
  const node = nodeWith({ 'hugepages-3Mi': '9Mi' }, { 'example.com/gone': '2', 'hugepages-3Mi': '9Mi' });
  const nodes = {
    get: async () => node,
    patch: async ({ patch }: { patch: Node }) => {
      patches.push(patch);
      return node;
    },
  };
  const reporter = reporterOf({
    nodes,
    clock,
    status: async (previous) => statusAfter(previous),
  });
  reporter.start();
  await clock.advanceAsync(10_000);
  reporter.close();
  const { capacity, allocatable } = patches[0]?.status ?? {};
  assert.equal(allocatable?.['example.com/gone'], null);
  assert.deepEqual([capacity?.['hugepages-3Mi'], allocatable?.['hugepages-3Mi']], [null, null]);
  assert.deepEqual([capacity?.['cpu'], allocatable?.['cpu']], ['2', '2']);
});

test('addresses that a cloud’s controller gave a node are left as they are', () => {
  const named = { metadata: { name: 'one' }, spec: {} };
  const addresses = [{ type: 'ExternalIP', address: '203.0.113.7' }];
  const told = { ...named, status: { addresses } } as unknown as Node;
  const own = [
    { type: 'InternalIP', address: '10.0.0.1' },
    { type: 'Hostname', address: 'one' },
  ];
  assert.deepEqual(statusAfter(told, [], true).addresses, addresses);
  assert.deepEqual(statusAfter(named as Node, [], true).addresses, own);
  assert.deepEqual(statusAfter(told, [], false).addresses, own);
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ResourceRequirements } from '@wherry/kubeapi';
import { qualityOfService } from '@wherry/podrules';
import { container, pod } from '../../../test/builders.ts';
import { cpuQuotaUs, cpuShares } from '../../pod/cpu-shares.ts';
import { containerResources, oomScoreAdj } from './resources.ts';

const context = {
  cpuQuotaEnabled: true,
  cpuPeriodMs: 100,
  hasOwnCpus: () => false,
  nodeMemoryBytes: 16 * 1024 ** 3,
  swap: { cgroupVersion: undefined, isLimited: false, nodeMemoryBytes: 16 * 1024 ** 3, nodeSwapBytes: 0 },
  hugePageSizes: [2 * 1024 ** 2, 1024 ** 3],
  killsWholeContainer: false,
};
const limited = (resources: object) => {
  const one = container('a', { resources });
  return { of: pod({ containers: [one] }), one };
};

test('cpu shares and quota are the numbers upstream writes', () => {
  assert.deepEqual([0, 1, 100, 1_000, 1_000_000].map(cpuShares), [2, 2, 102, 1_024, 262_144]);
  assert.deepEqual(
    [0, 1, 200, 1_500].map((milli) => cpuQuotaUs(milli, 100_000)),
    [0, 1_000, 20_000, 150_000],
  );
});

test('a limit stands in for a request that is not given', () => {
  const { of, one } = limited({ limits: { cpu: '500m', memory: '64Mi' } });
  const { cpuShares: shares, cpuQuota, cpuPeriod, memoryLimitInBytes } = containerResources(of, one, context);
  assert.deepEqual([shares, cpuQuota, cpuPeriod, memoryLimitInBytes], [512, 50_000, 100_000, 67_108_864]);
});

test('a container with a memory limit gets no swap beside it, and is killed whole where the kernel can', () => {
  const { of, one } = limited({ limits: { memory: '64Mi' } });
  const { swap } = context;
  const legacy = { ...context, swap: { ...swap, cgroupVersion: 'v1' as const } };
  const { memorySwapLimitInBytes, unified } = containerResources(of, one, legacy);
  assert.deepEqual([memorySwapLimitInBytes, unified], [67_108_864, undefined]);
  const free = limited({});
  assert.equal(containerResources(free.of, free.one, legacy).memorySwapLimitInBytes, undefined);
  const able = { ...context, killsWholeContainer: true, swap: { ...swap, cgroupVersion: 'v2' as const } };
  for (const each of [limited({ limits: { memory: '64Mi' } }), free]) {
    const made = containerResources(each.of, each.one, able);
    assert.equal(made.memorySwapLimitInBytes, undefined);
    assert.deepEqual(made.unified, { 'memory.oom.group': '1', 'memory.swap.max': '0' });
  }
  assert.equal(containerResources(of, one, context).unified, undefined);
});

test('the three classes and their scores', () => {
  const guaranteed = limited({ limits: { cpu: '1', memory: '1Gi' }, requests: { cpu: '1', memory: '1Gi' } });
  const burstable = limited({ requests: { memory: '4Gi' } });
  const bestEffort = limited({});
  const classes = [guaranteed, burstable, bestEffort].map(({ of }) => qualityOfService(of));
  assert.deepEqual(classes, ['Guaranteed', 'Burstable', 'BestEffort']);
  const scores = [guaranteed, burstable, bestEffort].map(({ of, one }) =>
    oomScoreAdj(of, one, context.nodeMemoryBytes),
  );
  assert.deepEqual(scores, [-997, 750, 1_000]);
});

test('a limit of memory is no request of it when memory runs out', () => {
  const { of, one } = limited({ limits: { memory: '4Gi' }, requests: { cpu: '5m' } });
  assert.equal(oomScoreAdj(of, one, context.nodeMemoryBytes), 999);
});

test('a critical pod of the class of the node goes last, also a static one, and one of the cluster does not', () => {
  const score = (priorityClassName: string, priority: number | undefined, annotations = {}) => {
    const one = container('a');
    const of = pod({ containers: [one], priorityClassName, priority }, { annotations });
    return oomScoreAdj(of, one, context.nodeMemoryBytes);
  };
  assert.equal(score('system-node-critical', 2_000_001_000), -997);
  assert.equal(score('system-node-critical', undefined, { 'kubernetes.io/config.source': 'file' }), -997);
  assert.equal(score('system-cluster-critical', 2_000_000_000), 1_000);
  assert.equal(score('mine', 2_000_001_000), 1_000);
});

test('what a pod asks for as a whole beyond its containers is shared among them when memory runs out', () => {
  const one = container('a', { resources: { requests: { memory: '2Gi' } } });
  const two = container('b');
  const init = container('i');
  const resources = { requests: { memory: '8Gi' }, limits: { memory: '8Gi' } };
  const of = pod({ containers: [one, two], initContainers: [init], resources });
  // 6 Gi beyond the containers, 2 Gi for each of the three.
  assert.deepEqual(
    [one, two, init].map((each) => oomScoreAdj(of, each, context.nodeMemoryBytes)),
    [750, 875, 875],
  );
  const beside = container('s', { restartPolicy: 'Always' });
  const asked = { ...of, spec: { ...of.spec, containers: [one], initContainers: [beside] } };
  assert.equal(oomScoreAdj(asked, beside, context.nodeMemoryBytes), 688);
});

test('who has processors to themselves is held to no quota', () => {
  const { of, one } = limited({ limits: { cpu: '2' } });
  const own = { ...context, hasOwnCpus: () => true };
  assert.equal(containerResources(of, one, own).cpuQuota, -1);
});

test('a container without a limit, or with none but 0, has that of its pod', () => {
  const declared: ResourceRequirements[] = [
    {},
    { limits: { cpu: '0' } },
    { limits: { cpu: '100m', memory: '1Mi' } },
  ];
  const containers = declared.map((resources, index) => container(`c${index}`, { resources }));
  const of = pod({ containers, resources: { limits: { cpu: '500m', memory: '64Mi' } } });
  const limits = containers.map((each) => containerResources(of, each, context));
  assert.deepEqual(
    limits.map(({ cpuQuota, memoryLimitInBytes }) => [cpuQuota, memoryLimitInBytes]),
    [
      [50_000, 67_108_864],
      [50_000, 67_108_864],
      [10_000, 1_048_576],
    ],
  );
});

test('a container may have the huge pages of its limits, else those of its pod, and no others', () => {
  const amounts = { 'hugepages-2Mi': '6Mi' };
  const one = container('a', { resources: { limits: amounts, requests: amounts } });
  const limits = (of: ReturnType<typeof pod>) =>
    containerResources(of, of.spec.containers[0] ?? one, context).hugepageLimits;
  assert.deepEqual(limits(pod({ containers: [one] })), [
    { pageSize: '2MB', limit: 6_291_456 },
    { pageSize: '1GB', limit: 0 },
  ]);
  const whole = { limits: { 'hugepages-2Mi': '8Mi', 'hugepages-1Gi': '1Gi' } };
  assert.deepEqual(limits(pod({ containers: [one], resources: whole })), [
    { pageSize: '2MB', limit: 6_291_456 },
    { pageSize: '1GB', limit: 1_073_741_824 },
  ]);
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SupplementalGroupsPolicy } from '@wherry/cri';
import type { PodSpec } from '@wherry/kubeapi';
import { container, pod } from '../../../test/builders.ts';
import { NodePaths } from '../../ground/node-paths.ts';
import type { ResourceContext } from '../cgroups/resources.ts';
import { sandboxConfig } from './sandbox-config.ts';
import { machineUsers } from './user-ranges.ts';

const context = {
  ...{ cpuQuotaEnabled: true, cpuPeriodMs: 100 },
  hasOwnCpus: () => false,
} as unknown as ResourceContext;

const containers = [
  container('a', { resources: { limits: { cpu: '1', memory: '64Mi' }, requests: { cpu: '500m' } } }),
];

function linuxOf(spec: Partial<PodSpec>, resources = context) {
  const { linux } = sandboxConfig(pod({ containers, ...spec }), {
    ...{
      attempt: 0,
      dns: { servers: [], searches: [], options: [] },
      clusterDomain: 'cluster.local',
      cgroupParent: '',
      users: machineUsers,
    },
    ...{ paths: new NodePaths({ rootDir: '/node', podLogsDir: '/logs' }), resources },
  });
  return linux;
}

const sums = { cpuShares: 512, cpuPeriod: 100_000, cpuQuota: 100_000, memoryLimitInBytes: 67_108_864 };

test('a runtime is told what a pod takes, and beside it what its runtime class adds', () => {
  assert.deepEqual(linuxOf({})?.resources, sums);
  assert.deepEqual(linuxOf({})?.overhead, {});
  const heavy = linuxOf({ overhead: { cpu: '250m', memory: '1Mi' } });
  assert.deepEqual(heavy?.resources, sums);
  assert.deepEqual(heavy?.overhead, {
    ...{ cpuShares: 256, cpuPeriod: 100_000, cpuQuota: 25_000, memoryLimitInBytes: 1_048_576 },
  });
});

test('where limits of processors are not kept a runtime is told of no quota', () => {
  const free = linuxOf({}, { ...context, cpuQuotaEnabled: false });
  assert.deepEqual(free?.resources, { ...sums, cpuPeriod: 0, cpuQuota: 0 });
});

test('a sandbox is of its pod’s groups alone where the pod says so', () => {
  const policyOf = (spec: Partial<PodSpec>) => linuxOf(spec)?.securityContext?.supplementalGroupsPolicy;
  assert.equal(policyOf({}), SupplementalGroupsPolicy.Merge);
  const securityContext = { supplementalGroupsPolicy: 'Strict' as const };
  assert.equal(policyOf({ securityContext }), SupplementalGroupsPolicy.Strict);
});

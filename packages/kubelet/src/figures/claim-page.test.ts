import assert from 'node:assert/strict';
import { test } from 'node:test';
import { container, pod } from '../../test/builders.ts';
import { claimPage } from './claim-page.ts';

const figures = (usedBytes: number) => ({
  ...{ capacityBytes: 100, availableBytes: 100 - usedBytes, usedBytes, inodes: 10, inodesFree: 7 },
  device: 'any',
});
const one = (name: string) => ({
  namespace: 'default',
  pod: pod(
    {
      containers: [container('a')],
      volumes: [
        { name: 'data', persistentVolumeClaim: { claimName: 'shared' } },
        { name: 'scratch', ephemeral: {} },
        { name: 'untold', persistentVolumeClaim: { claimName: 'silent' } },
        { name: 'memory', emptyDir: { medium: 'Memory' } },
      ],
    },
    { name },
  ),
});
const mounted = (used: number) =>
  new Map(['data', 'scratch', 'memory'].map((name) => [name, figures(used)] as const));

test('claims are told of once each, by namespace and name, and what is no claim is not', () => {
  const page = claimPage([
    { pod: one('p'), mounted: mounted(30) },
    { pod: one('q'), mounted: mounted(40) },
    { pod: { namespace: 'default', pod: undefined }, mounted: new Map() },
  ]);
  const used = page.split('\n').filter((line) => line.startsWith('kubelet_volume_stats_used_bytes'));
  assert.deepEqual(used, [
    'kubelet_volume_stats_used_bytes{namespace="default",persistentvolumeclaim="shared"} 30',
    'kubelet_volume_stats_used_bytes{namespace="default",persistentvolumeclaim="p-scratch"} 30',
    'kubelet_volume_stats_used_bytes{namespace="default",persistentvolumeclaim="q-scratch"} 40',
  ]);
  for (const [name, value] of Object.entries({
    ...{ capacity_bytes: 100, available_bytes: 70, inodes: 10, inodes_free: 7, inodes_used: 3 },
  })) {
    const line = `kubelet_volume_stats_${name}{namespace="default",persistentvolumeclaim="shared"} ${value}`;
    assert.ok(page.split('\n').includes(line), line);
  }
});

test('without claims there is nothing to tell', () => assert.equal(claimPage([]), ''));

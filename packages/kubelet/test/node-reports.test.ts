import assert from 'node:assert/strict';
import { test } from 'node:test';
import { conditionOf, until, withNode } from './node-bench.ts';

test('a node that is about to be ready does not say otherwise first', () =>
  withNode({}, async (nodes) => {
    await until(() => nodes.length > 0);
    assert.equal(conditionOf(nodes[0], 'Ready')?.status, 'True');
  }));

test('addresses of both families are written whole or not at all, since a server merges them by their type', () =>
  withNode({ nodeStatusUpdateFrequency: '100ms', nodeStatusReportFrequency: '100ms' }, async (nodes) => {
    await until(() => nodes.length > 3);
    const [created, ...patches] = nodes.map(({ status }) => status?.addresses as object[] | undefined);
    assert.deepEqual(created?.slice(0, 2), [
      { type: 'InternalIP', address: '192.0.2.1' },
      { type: 'InternalIP', address: '2001:db8::1' },
    ]);
    assert.ok(patches.length > 2);
    for (const patch of patches) assert.deepEqual(patch?.[0] ?? { $patch: 'replace' }, { $patch: 'replace' });
  }));

test('a node that has less of something left than its threshold says so, and of what', () =>
  withNode({ evictionHard: { 'nodefs.inodesFree': '1Pi', 'pid.available': '1' } }, async (nodes) => {
    await until(() => conditionOf(nodes.at(-1), 'DiskPressure')?.status === 'True');
    const conditions = ['MemoryPressure', 'DiskPressure', 'PIDPressure'].map((type) =>
      conditionOf(nodes.at(-1), type),
    );
    assert.deepEqual(
      conditions.map((condition) => [condition?.status, condition?.reason]),
      [
        ['False', 'KubeletHasSufficientMemory'],
        ['True', 'KubeletHasDiskPressure'],
        ['False', 'KubeletHasSufficientPID'],
      ],
    );
  }));

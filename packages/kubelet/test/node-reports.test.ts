import assert from 'node:assert/strict';
import { test } from 'node:test';
import { conditionOf, until, withNode } from './node-bench.ts';

test('a node that is about to be ready does not say otherwise first', () =>
  withNode({}, async (nodes) => {
    await until(() => nodes.length > 0);
    assert.equal(conditionOf(nodes[0], 'Ready')?.status, 'True');
  }));

test('a node that has less of something left than its threshold says so, and of what', () =>
  withNode({ evictionHard: { 'nodefs.available': '1Pi', 'pid.available': '1' } }, async (nodes) => {
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

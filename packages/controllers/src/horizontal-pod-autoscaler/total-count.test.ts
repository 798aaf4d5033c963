import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Pod } from '@wherry/kubeapi';
import { replicasByAverage, replicasByRatio } from './total-count.ts';

const tolerance = { up: 0.1, down: 0.1 };
const pod = (phase: string, ready: string): Pod => ({
  metadata: {},
  spec: { containers: [] },
  status: { phase, conditions: [{ type: 'Ready', status: ready }] } as NonNullable<Pod['status']>,
});
const pods = (ready: number, unready = 0) => [
  ...Array.from({ length: ready }, () => pod('Running', 'True')),
  ...Array.from({ length: unready }, () => pod('Running', 'False')),
];

describe('the replicas that a total asks for', () => {
  const byRatio = (usage: bigint, ready: number, unready = 0, current = ready + unready) =>
    replicasByRatio(usage, 10_000n, { current, pods: pods(ready, unready), tolerance });

  test('are in its ratio to the target as many as pods are ready', () => {
    assert.deepEqual([byRatio(15_000n, 4), byRatio(15_000n, 2, 2), byRatio(5_000n, 4)], [6, 3, 2]);
  });

  test('stay within the tolerance, without a look at pods', () => {
    assert.deepEqual([byRatio(10_999n, 0, 0, 3), byRatio(9_001n, 1, 2)], [3, 3]);
    assert.throws(() => byRatio(20_000n, 0, 0, 3), /unable to calculate ready pods: no pods returned/);
  });

  test('are no more than a number of replicas can be', () => {
    assert.equal(byRatio(2n ** 63n - 1n, 4), 2 ** 31 - 1);
  });

  const byAverage = (usage: bigint, present: number) =>
    replicasByAverage(usage, 10_000n, { present, tolerance });

  test('share it out among those that are there, rounded up', () => {
    assert.deepEqual(byAverage(35_001n, 2), { replicas: 4, average: 17_501n });
    assert.deepEqual(byAverage(31_000n, 3), { replicas: 3, average: 10_334n });
    assert.deepEqual(byAverage(0n, 3), { replicas: 0, average: 0n });
  });

  test('are told where there are none yet', () => {
    assert.deepEqual(byAverage(35_000n, 0), { replicas: 4, average: 35_000n });
  });

  test('say a total exactly that no double holds', () => {
    assert.equal(byAverage(2n ** 60n + 3n, 1).average, 2n ** 60n + 3n);
  });
});

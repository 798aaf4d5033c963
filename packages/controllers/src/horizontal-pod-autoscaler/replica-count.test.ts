import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { type PodGroups, proposeReplicas } from './replica-count.ts';

const tolerance = { up: 0.1, down: 0.1 };
const named = (amounts: readonly number[]) => new Map(amounts.map((amount, index) => [`p${index}`, amount]));
const groupsOf = (ready: number, rest: Partial<PodGroups> = {}): PodGroups => ({
  ...{ ready, unready: new Set<string>(), missing: new Set<string>() },
  ...rest,
});
const requests = named([1_000, 1_000, 1_000, 1_000]);

/** `current` replicas, of which those in `usage` were measured. */
function replicas(current: number, usage: number[], utilization: number, rest: Partial<PodGroups> = {}) {
  const groups = groupsOf(usage.length, rest);
  const target = { utilization, requests };
  return proposeReplicas({ current, usage: named(usage), groups, target, tolerance }).replicas;
}

describe('the replicas that usage asks for', () => {
  const cases: [what: string, found: () => number, wanted: number][] = [
    ['grow in the ratio of use and target', () => replicas(3, [300, 500, 700], 30), 5],
    ['shrink in it', () => replicas(4, [100, 100, 100, 100], 50), 1],
    ['stay within the tolerance', () => replicas(3, [1_010, 1_030, 1_020], 100), 3],
    [
      'count unready pods as idle when they grow',
      () => replicas(4, [400, 500, 700], 30, { unready: new Set(['p3']) }),
      6,
    ],
    [
      'stay where unready pods would turn growth round',
      () => replicas(4, [400], 30, { unready: new Set(['p1', 'p2', 'p3']) }),
      4,
    ],
    [
      'count pods that were not measured as fully used when they shrink',
      () => replicas(4, [100, 100, 100], 100, { missing: new Set(['p3']) }),
      2,
    ],
    [
      'count pods that were not measured as idle when they grow',
      () => replicas(3, [1_000, 1_000], 50, { missing: new Set(['p2']) }),
      4,
    ],
  ];
  for (const [what, found, wanted] of cases) test(what, () => assert.equal(found(), wanted));

  test('come with use on average, and in percent of what is asked for', () => {
    const target = { utilization: 50, requests };
    const found = proposeReplicas({
      current: 2,
      usage: named([600, 900]),
      groups: groupsOf(2),
      target,
      tolerance,
    });
    assert.deepEqual(found, { replicas: 3, average: 750, utilization: 75 });
    const plain = proposeReplicas({
      ...{ current: 2, usage: named([600, 900]), groups: groupsOf(2), tolerance },
      target: { average: 250 },
    });
    assert.deepEqual(plain, { replicas: 6, average: 750, utilization: undefined });
  });

  test('keep to a tolerance for each way', () => {
    const wide = { up: 0.5, down: 0 };
    const at = (amount: number) =>
      proposeReplicas({
        ...{ current: 2, usage: named([amount, amount]), groups: groupsOf(2), tolerance: wide },
        target: { average: 100 },
      }).replicas;
    assert.deepEqual([at(150), at(151), at(99), at(49)], [2, 4, 2, 1]);
  });
});

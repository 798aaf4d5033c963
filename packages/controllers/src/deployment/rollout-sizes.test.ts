import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Deployment, ReplicaSet } from '@wherry/kubeapi';
import { annotations } from './replica-sets.ts';
import { currentSize, fenceposts, proportionalSizes, type Scaling, shrinkOld } from './rollout-sizes.ts';

const deployment = (replicas: number, maxSurge: number | string, maxUnavailable: number | string) =>
  ({
    metadata: { name: 'web' },
    spec: {
      replicas,
      selector: {},
      template: {},
      strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge, maxUnavailable } },
    },
  }) satisfies Deployment;

interface Facts {
  available?: number;
  max?: number;
  age?: number;
}

const set = (
  name: string,
  replicas: number,
  { available = replicas, max = 0, age = 0 }: Facts = {},
): ReplicaSet => ({
  metadata: {
    name,
    creationTimestamp: new Date(1e12 - age * 1000).toISOString(),
    annotations: max === 0 ? {} : { [annotations.maxReplicas]: String(max) },
  },
  spec: { replicas, selector: {} },
  status: { replicas, availableReplicas: available },
});

const sizes = (scalings: readonly Scaling[]) =>
  Object.fromEntries(scalings.map(({ set, size }) => [set.metadata.name, size]));

describe('the bounds of a rolling update', () => {
  // As upstream's TestResolveFenceposts has them.
  const cases: [string | number, string | number, number, number, number][] = [
    ['0%', '0%', 0, 0, 1],
    ['39%', '39%', 10, 4, 3],
    ['25%', '25%', 4, 1, 1],
    ['25%', '25%', 1, 1, 0],
    ['0%', '25%', 1, 0, 1],
    [3, 10, 5, 3, 5],
  ];
  for (const [surge, unavailable, replicas, maxSurge, maxUnavailable] of cases)
    it(`are ${maxSurge} and ${maxUnavailable} for ${surge} and ${unavailable} of ${replicas}`, () => {
      const expected = { maxSurge, maxUnavailable: Math.min(maxUnavailable, replicas) };
      assert.deepEqual(fenceposts(deployment(replicas, surge, unavailable)), expected);
    });
});

describe('the newest replica set', () => {
  it('grows into the room that there is', () => {
    const update = deployment(10, 3, 2);
    assert.equal(currentSize(update, [set('old', 10)], 0), 3);
    assert.equal(currentSize(update, [set('old', 8), set('new', 3)], 3), 5);
    assert.equal(currentSize(update, [set('old', 10), set('new', 3)], 3), 3);
    assert.equal(currentSize(update, [set('new', 12)], 12), 10);
  });
});

describe('old replica sets', () => {
  const update = deployment(10, 3, 2);

  it('lose what the newest one makes up for', () => {
    const current = set('new', 3, { available: 0 });
    assert.deepEqual(sizes(shrinkOld(update, current, [set('old', 10)])), { old: 8 });
    assert.deepEqual(sizes(shrinkOld(update, set('new', 5, { available: 0 }), [set('old', 8)])), {});
    assert.deepEqual(sizes(shrinkOld(update, set('new', 5), [set('old', 8)])), { old: 3 });
  });

  it('lose what is unhealthy first, the oldest first', () => {
    const old = [set('older', 4, { available: 1, age: 9 }), set('newer', 4, { available: 4, age: 5 })];
    assert.deepEqual(sizes(shrinkOld(update, set('new', 5), old)), { older: 0, newer: 3 });
  });

  it('lose no more than may go at once, however unhealthy they are', () => {
    const old = set('old', 10, { available: 6 });
    assert.deepEqual(sizes(shrinkOld(update, set('new', 1, { available: 1 }), [old])), { old: 7 });
  });

  it('keep their pods while a controller is behind', () => {
    const behind = set('behind', 8, { available: 10, age: 5 });
    assert.deepEqual(sizes(shrinkOld(update, set('new', 5), [behind])), {});
    const unhealthy = set('unhealthy', 3, { available: 1, age: 9 });
    assert.deepEqual(sizes(shrinkOld(update, set('new', 5), [unhealthy, behind])), { unhealthy: 1 });
    const emptied = set('emptied', 0, { available: 5, age: 9 });
    assert.deepEqual(sizes(shrinkOld(update, set('new', 5), [emptied, set('old', 4)])), { old: 3 });
  });
});

describe('a deployment that is scaled while it rolls', () => {
  it('gives each replica set its share, and the rest to the largest', () => {
    // As upstream's TestScale has them.
    const grown = proportionalSizes(deployment(12, 0, 1), set('new', 5, { max: 10 }), [
      set('old', 5, { max: 10, age: 9 }),
    ]);
    assert.deepEqual(sizes(grown.scalings), { new: 6, old: 6 });
    const uneven = proportionalSizes(deployment(30, 0, 1), set('c', 2, { max: 10 }), [
      ...[set('b', 3, { max: 10, age: 5 }), set('a', 5, { max: 10, age: 9 })],
    ]);
    assert.deepEqual(sizes(uneven.scalings), { c: 6, b: 9, a: 15 });
    const none = proportionalSizes(deployment(0, 0, 1), set('new', 5, { max: 10 }), [
      set('old', 5, { max: 10 }),
    ]);
    assert.deepEqual(sizes(none.scalings), { new: 0, old: 0 });
  });

  it('gives all to the only one that has pods', () => {
    const { scalings, isForced } = proportionalSizes(deployment(7, 1, 1), set('new', 0), [set('old', 3)]);
    assert.deepEqual([sizes(scalings), isForced], [{ old: 7 }, false]);
  });
});

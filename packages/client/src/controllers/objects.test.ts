import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isConditionTrue, withCondition } from './conditions.ts';
import { controllerOf, controllerReference, refersTo } from './owner-references.ts';

const at = (seconds: number) => new Date(1_800_000_000_000 + seconds * 1_000 + 123);

test('a condition keeps its time and place as long as its status is the same, whatever else it says', () => {
  const ready = {
    type: 'Ready',
    status: 'False',
    reason: 'Starting',
    message: '',
    observedGeneration: 1,
  } as const;
  const first = withCondition([{ ...ready, type: 'Other', lastTransitionTime: 'x' }], ready, at(0));
  assert.equal(first[1]?.lastTransitionTime, '2027-01-15T08:00:00Z');
  const second = withCondition(
    [...first].reverse(),
    { ...ready, reason: 'Slow', observedGeneration: 2 },
    at(9),
  );
  assert.deepEqual(second[0], { ...first[1], reason: 'Slow', observedGeneration: 2 });
  const third = withCondition(second, { ...ready, status: 'True' }, at(9));
  assert.deepEqual(
    third.map(({ type }) => type),
    ['Ready', 'Other'],
  );
  assert.equal(third[0]?.lastTransitionTime, '2027-01-15T08:00:09Z');
  assert.ok(
    isConditionTrue(third, 'Ready') &&
      !isConditionTrue(second, 'Ready') &&
      !isConditionTrue(undefined, 'Ready'),
  );
});

test('a reference to who manages an object is told from one to another group’s kind or another object of that name', () => {
  const type = {
    group: 'example.com',
    version: 'v1',
    plural: 'databases',
    kind: 'Database',
    namespaced: true,
  };
  const owner = { apiVersion: 'example.com/v1', kind: 'Database', metadata: { name: 'a', uid: '1' } };
  const reference = controllerReference(type, owner);
  assert.deepEqual(reference, {
    ...{ apiVersion: 'example.com/v1', kind: 'Database', name: 'a', uid: '1' },
    ...{ controller: true, blockOwnerDeletion: true },
  });
  const owned = { metadata: { ownerReferences: [{ ...reference, controller: false, uid: '0' }, reference] } };
  assert.equal(controllerOf({ apiVersion: 'v1', kind: 'ConfigMap', ...owned }), reference);
  assert.ok(refersTo({ ...reference, apiVersion: 'example.com/v2' }, type, owner));
  assert.ok(!refersTo({ ...reference, apiVersion: 'example.org/v1' }, type, owner));
  assert.ok(!refersTo(reference, type, { ...owner, metadata: { name: 'a', uid: '2' } }));
});

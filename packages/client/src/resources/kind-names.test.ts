import assert from 'node:assert/strict';
import { test } from 'node:test';
import { builtInType } from './kind-names.ts';

test('the bare name of a kind that has several versions or groups is that whose type it has', () => {
  const versions = ['HorizontalPodAutoscaler', 'Event', 'Pod'].map((kind) => {
    const { group, version } = builtInType(kind) ?? {};
    return `${group}/${version}`;
  });
  assert.deepEqual(versions, ['autoscaling/v2', '/v1', '/v1']);
  const older = builtInType({ apiVersion: 'autoscaling/v1', kind: 'HorizontalPodAutoscaler' });
  assert.equal(older?.version, 'v1');
});

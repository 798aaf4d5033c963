import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ManagedFieldsEntry } from '@wherry/kubeapi';
import { managersOfScale, managersOfScaled } from './scale-managers.ts';

const entry = (
  manager: string,
  fields: object,
  more: Partial<ManagedFieldsEntry> = {},
): ManagedFieldsEntry => ({
  ...{ manager, operation: 'Update', apiVersion: 'apps/v1', fieldsType: 'FieldsV1', ...more },
  fieldsV1: fields as NonNullable<ManagedFieldsEntry['fieldsV1']>,
});
const replicas = { 'f:spec': { 'f:replicas': {} } };
const how = { path: ['spec', 'replicas'], apiVersion: 'apps/v1' };

test('a scale has the managers of the replicas, and no other field of theirs', () => {
  const owners = [
    entry('a', { 'f:spec': { 'f:replicas': {}, 'f:paused': {} } }),
    entry('b', { 'f:spec': { 'f:paused': {} } }),
  ];
  const scaled = managersOfScale(owners, how.path);
  assert.deepEqual(scaled, [entry('a', replicas, { apiVersion: 'autoscaling/v1' })]);
  assert.deepEqual(managersOfScaled(owners, scaled, how), owners, 'unchanged, all stay what they were');
});

test('who loses the replicas keeps the rest, and who gets them has them where they are', () => {
  const owners = [
    entry('a', { 'f:spec': { 'f:replicas': {}, 'f:paused': {} } }),
    entry('b', replicas),
    entry('c', { 'f:status': {} }),
  ];
  const taker = { apiVersion: 'autoscaling/v1', operation: 'Apply', subresource: 'scale' };
  const left = managersOfScaled(owners, [entry('d', replicas, taker)], { ...how, path: ['spec', 'size'] });
  assert.deepEqual(left.at(-1)?.fieldsV1, { 'f:spec': { 'f:size': {} } });
  assert.deepEqual(managersOfScaled(owners, [entry('d', replicas, taker)], how), [
    entry('a', { 'f:spec': { 'f:paused': {} } }),
    entry('c', { 'f:status': {} }),
    entry('d', replicas, { operation: 'Apply', subresource: 'scale' }),
  ]);
});

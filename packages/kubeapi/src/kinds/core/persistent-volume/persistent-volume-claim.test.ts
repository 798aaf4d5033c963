import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { PersistentVolumeClaim } from '../../../generated/types.ts';
import { persistentVolumeClaim } from './persistent-volume-claim.ts';

const claim = (
  storageClassName?: string,
  annotations: Record<string, string> = {},
): PersistentVolumeClaim => ({
  apiVersion: 'v1',
  kind: 'PersistentVolumeClaim',
  metadata: { name: 'data', namespace: 'default', annotations },
  spec: {
    accessModes: ['ReadWriteOnce'],
    resources: { requests: { storage: '1Gi' } },
    volumeMode: 'Filesystem',
    ...(storageClassName === undefined ? {} : { storageClassName }),
  },
});
const refused = (next: PersistentVolumeClaim, previous: PersistentVolumeClaim) =>
  persistentVolumeClaim.validateUpdate?.(next, previous).map(({ field }) => field);

test('a claim without a class gets one once, and keeps it', () => {
  assert.deepEqual(refused(claim('standard'), claim()), []);
  assert.deepEqual(refused(claim('other'), claim('standard')), ['spec']);
  assert.deepEqual(refused(claim(), claim('standard')), ['spec']);
  assert.deepEqual(refused(claim('standard'), claim('')), ['spec']);
});

test('a claim whose annotation names a class gets no other', () => {
  const named = { 'volume.beta.kubernetes.io/storage-class': 'old' };
  assert.deepEqual(refused(claim('old', named), claim(undefined, named)), []);
  assert.deepEqual(refused(claim('new', named), claim(undefined, named)), ['spec']);
});

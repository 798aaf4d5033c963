import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { PersistentVolume, PersistentVolumeClaim } from '@wherry/kubeapi';
import { mayGrow, waitsForGrowth } from './volume-expansion.ts';

const claim = (request: string, capacity: string, phase: 'Bound' | 'Pending' = 'Bound') =>
  ({
    metadata: { uid: 'u' },
    spec: { resources: { requests: { storage: request } } },
    status: { phase, capacity: { storage: capacity } },
  }) as PersistentVolumeClaim;

it('a bound claim waits for somebody to make its volume larger once it asks for more than that has', () => {
  const volume = (uid: string) => ({ metadata: {}, spec: { claimRef: { uid } } }) as PersistentVolume;
  assert.equal(waitsForGrowth(claim('2Gi', '1Gi'), volume('u')), true);
  assert.equal(waitsForGrowth(claim('1Gi', '1024Mi'), volume('u')), false);
  assert.equal(waitsForGrowth(claim('1Gi', '2Gi'), volume('u')), false);
  assert.equal(waitsForGrowth(claim('2Gi', '1Gi'), volume('other')), false);
  assert.equal(waitsForGrowth(claim('2Gi', '1Gi'), undefined), false);
  assert.equal(mayGrow(claim('2Gi', '1Gi')), true);
  assert.equal(mayGrow(claim('2Gi', '1Gi', 'Pending')), false);
  assert.equal(mayGrow(claim('2Gi', '1Gi'), claim('2Gi', '1Gi')), false);
  assert.equal(mayGrow(claim('2Gi', '1Gi'), claim('1Gi', '1Gi')), true);
  assert.equal(mayGrow(claim('2Gi', '2Gi'), claim('2Gi', '1Gi')), true);
});

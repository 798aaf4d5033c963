import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'node:test';
import type { KubeObject } from '@wherry/client';
import { FakeClock } from '@wherry/clock';
import { limits } from '../limits.ts';
import { OwnWrites } from './own-writes.ts';

const pod = (resourceVersion: string, more: object = {}): KubeObject => ({
  metadata: { name: 'a', namespace: 'n', uid: 'u', resourceVersion, ...more },
});

describe('what a controller wrote itself', () => {
  let clock: FakeClock;
  let writes: OwnWrites;
  let shown: { objects: Map<string, KubeObject>; resourceVersion: string | undefined };
  beforeEach(() => {
    clock = new FakeClock();
    writes = new OwnWrites(clock);
    shown = { objects: new Map(), resourceVersion: '9' };
  });

  it('is waited for until its informer has come so far', () => {
    writes.wrote('n/owner', shown, pod('10'));
    writes.wrote('n/owner', shown, pod('12'));
    assert.equal(writes.areSeen('n/owner'), false);
    assert.equal(writes.areSeen('n/other'), true);
    shown.resourceVersion = '11';
    assert.equal(writes.areSeen('n/owner'), false);
    shown.resourceVersion = '12';
    assert.equal(writes.areSeen('n/owner'), true);
  });

  it('is not seen while a new list is made', () => {
    writes.wrote('n/owner', shown, pod('10'));
    shown.resourceVersion = undefined;
    assert.equal(writes.areSeen('n/owner'), false);
  });

  it('counts as deleted once it is on its way, gone, or another one', () => {
    for (const after of [undefined, pod('12', { deletionTimestamp: 'now' }), pod('12', { uid: 'other' })]) {
      shown.objects.set('n/a', pod('8'));
      writes.deleted('n/owner', shown, pod('8'));
      assert.equal(writes.areSeen('n/owner'), false);
      if (after) shown.objects.set('n/a', after);
      else shown.objects.delete('n/a');
      assert.equal(writes.areSeen('n/owner'), true);
    }
  });

  it('is given up after a while', () => {
    writes.wrote('n/owner', shown, pod('10'));
    clock.advance(limits.unseenWriteMs);
    assert.equal(writes.areSeen('n/owner'), false);
    clock.advance(1);
    assert.equal(writes.areSeen('n/owner'), true);
  });
});

import assert from 'node:assert/strict';
import { it } from 'node:test';
import { FakeClock } from '@wherry/clock';
import { StatusError } from '@wherry/kubeapi';
import { userInfo } from '../../authentication/identity.ts';
import type { AdmissionRequest } from '../admission.ts';
import { eventRateLimit } from './event-rate-limit.ts';
import { TokenBuckets } from './token-buckets.ts';

it('a bucket is full at first, fills with time, and is full again once it was forgotten', () => {
  const clock = new FakeClock();
  const buckets = new TokenBuckets({ perSecond: 2, burst: 3, bucketsMax: 2 }, clock);
  const taken = (key: string) => [1, 2, 3, 4].map(() => buckets.take(key));
  assert.deepEqual(taken('a'), [true, true, true, false]);
  clock.advance(499);
  assert.equal(buckets.take('a'), false);
  clock.advance(1);
  assert.deepEqual([buckets.take('a'), buckets.take('a')], [true, false]);
  clock.advance(60_000);
  assert.deepEqual(taken('a'), [true, true, true, false]);
  buckets.take('b');
  buckets.take('c');
  assert.deepEqual(taken('a'), [true, true, true, false]);
});

it('events of one source about one object are counted together, by whichever of the two groups they come', () => {
  const clock = new FakeClock();
  const plugin = eventRateLimit({ clock });
  plugin.configure?.({
    file: 'f',
    document: {
      ...{ apiVersion: 'eventratelimit.admission.k8s.io/v1alpha1', kind: 'Configuration' },
      limits: [{ type: 'SourceAndObject', qps: 1, burst: 1 }],
    },
  });
  const about = { kind: 'Pod', namespace: 'a', name: 'x', uid: '1', apiVersion: 'v1' };
  const come = (event: object, dryRun = false) => {
    const request = { namespace: 'a', user: userInfo('ada', []), dryRun, object: { metadata: {}, ...event } };
    try {
      plugin.validate?.(request as unknown as AdmissionRequest);
      return undefined;
    } catch (error) {
      assert.ok(error instanceof StatusError);
      return [error.code, error.message];
    }
  };
  const source = { component: 'kubelet', host: 'n1' };
  const old = { source, involvedObject: about };
  const tooMany = 'Too many requests: limit reached on type SourceAndObject for key kubeletn1Podax1v1';
  assert.equal(come(old, true), undefined);
  assert.equal(come(old), undefined);
  assert.deepEqual(come(old), [429, tooMany]);
  assert.deepEqual(come({ deprecatedSource: source, regarding: about }), [429, tooMany]);
  assert.equal(come({ source, involvedObject: { ...about, name: 'y' } }), undefined);
  clock.advance(1000);
  assert.equal(come(old), undefined);
});

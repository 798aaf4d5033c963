import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FakeClock } from './fake-clock.ts';
import { RateBucket } from './rate-bucket.ts';

test('a burst passes at once, and then one at a time', () => {
  const clock = new FakeClock();
  const bucket = new RateBucket({ clock, perSecond: 5, burst: 2 });
  assert.deepEqual([bucket.take().waitMs, bucket.take().waitMs, bucket.take().waitMs], [0, 0, 200]);
  clock.advance(200);
  assert.deepEqual([bucket.take().waitMs, bucket.take().waitMs], [0, 200]);
});

test('0 per second is without bound', () => {
  const bucket = new RateBucket({ clock: new FakeClock(), perSecond: 0, burst: 1 });
  for (let taken = 0; taken < 100; taken += 1) assert.equal(bucket.take().waitMs, 0);
});

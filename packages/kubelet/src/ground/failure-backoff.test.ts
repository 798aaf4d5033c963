import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FakeClock } from '@wherry/clock';
import { FailureBackoff } from './failure-backoff.ts';

const options = { initialMs: 10_000, maxMs: 300_000, resetMs: 600_000 };

test('a container that keeps crashing restarts after 0, 10, 20, 40, 80, 160, 300, 300 seconds', () => {
  const clock = new FakeClock();
  const backoff = new FailureBackoff(clock, options);
  const waits: number[] = [];
  for (let crash = 0; crash < 8; crash += 1) {
    const failedMs = clock.nowMs();
    const waitMs = backoff.remainingMs('a', failedMs);
    waits.push(waitMs / 1_000);
    clock.advance(waitMs);
    assert.equal(backoff.remainingMs('a', failedMs), 0);
    backoff.raise('a', failedMs);
  }
  assert.deepEqual(waits, [0, 10, 20, 40, 80, 160, 300, 300]);
});

test('a container that ran for more than ten minutes restarts at once', () => {
  const clock = new FakeClock();
  const backoff = new FailureBackoff(clock, options);
  for (let crash = 0; crash < 5; crash += 1) backoff.raise('a', clock.nowMs());
  clock.advance(600_001);
  const failedMs = clock.nowMs();
  assert.equal(backoff.remainingMs('a', failedMs), 0);
  backoff.raise('a', failedMs);
  assert.equal(backoff.delayMs('a'), 10_000);
});

test('keys do not slow one another', () => {
  const clock = new FakeClock();
  const backoff = new FailureBackoff(clock, options);
  backoff.raise('a', clock.nowMs());
  assert.equal(backoff.remainingMs('b', clock.nowMs()), 0);
});

test('entries at rest are forgotten', () => {
  const clock = new FakeClock();
  const backoff = new FailureBackoff(clock, options);
  backoff.raise('a', clock.nowMs());
  clock.advance(1_200_001);
  backoff.prune();
  assert.equal(backoff.delayMs('a'), 0);
});

test('a clock that is set back keeps nothing waiting for longer than its delay', () => {
  const clock = new FakeClock();
  const backoff = new FailureBackoff(clock, options);
  backoff.raise('a', clock.nowMs());
  const failedMs = clock.nowMs();
  clock.jumpWallClock(-3_600_000);
  const waitMs = backoff.remainingMs('a', failedMs);
  assert.ok(waitMs <= options.initialMs, `${waitMs} ms`);
  clock.advance(waitMs);
  assert.equal(backoff.remainingMs('a', failedMs), 0);
});

test('delays grow from a failure before the clock was set back, which stays the newest one', () => {
  const clock = new FakeClock();
  const backoff = new FailureBackoff(clock, options);
  backoff.raise('a', clock.nowMs());
  const failedMs = clock.nowMs();
  clock.jumpWallClock(-3_600_000);
  clock.advance(backoff.remainingMs('a', failedMs));
  for (let crash = 0; crash < 3; crash++) {
    backoff.raise('a', failedMs);
    assert.equal(backoff.remainingMs('a', failedMs), options.initialMs * 2 ** (crash + 1));
    clock.advance(backoff.delayMs('a'));
  }
});

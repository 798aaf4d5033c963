import assert from 'node:assert/strict';
import { it } from 'node:test';
import { FailureBackoff } from './failure-backoff.ts';

const hourMs = 3_600_000;

it('lets a failed pod stay longer after each failure, and begins anew when none was for long', () => {
  const failures = new FailureBackoff();
  let nowMs = 0;
  let lastWaitMs = 0;
  const fail = (key: string) => {
    nowMs += 1 + Math.ceil(lastWaitMs);
    assert.equal(failures.waitMs(key, nowMs), 0);
    lastWaitMs = failures.waitMs(key, nowMs);
    return lastWaitMs;
  };
  const waits = Array.from({ length: 12 }, () => fail('set/node'));
  assert.ok((waits[0] ?? 0) <= 1_200, `${waits}`);
  assert.ok((waits[11] ?? 0) >= 900_000, `${waits}`);
  nowMs += hourMs;
  assert.ok(fail('set/node') <= 1_200);
});

it('remembers no failure that is long past, of whatever set', () => {
  const failures = new FailureBackoff();
  for (let set = 0; set < 100; set += 1) failures.waitMs(`set-${set}/node`, set);
  failures.waitMs('late/node', hourMs);
  assert.equal(failures.size, 1);
});

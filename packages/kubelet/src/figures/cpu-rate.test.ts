import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FakeClock } from '@wherry/clock';
import { CpuRate } from './cpu-rate.ts';

test('a rate is told from the second reading on, and readings that come close together are told the same', () => {
  const clock = new FakeClock();
  const rate = new CpuRate(clock);
  assert.equal(rate.read(1_000), undefined);
  clock.advance(2_000);
  assert.equal(rate.read(5_000), 2_000);
  clock.advance(499);
  assert.equal(rate.read(9_000), 2_000);
  clock.advance(501);
  assert.equal(rate.read(6_000), 1_000);
});

test('a rate whose first reading is known is never unknown', () => {
  const clock = new FakeClock();
  const rate = new CpuRate(clock, 1_000);
  assert.equal(rate.read(2_000), 0);
  clock.advance(1_000);
  assert.equal(rate.read(4_000), 3_000);
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FakeClock } from '@wherry/clock';
import { limits } from '../limits.ts';
import { ProxyHealth } from './proxy-health.ts';

test('a change that the kernel was not told of for a minute is told of, until it is', async () => {
  const clock = new FakeClock();
  const health = new ProxyHealth(clock);
  assert.equal(health.report().healthy, true, 'while it starts');
  health.updated('ip');
  health.updated('ip6');
  health.queued('ip6');
  await clock.advanceAsync(limits.healthTimeoutMs - 1);
  health.queued('ip6');
  assert.equal(health.report().healthy, true);
  await clock.advanceAsync(1);
  const { healthy, status, lastUpdated, currentTime } = health.report();
  assert.equal(healthy, false);
  assert.deepEqual([status['IPv4']?.healthy, status['IPv6']?.healthy], [true, false]);
  assert.equal(Date.parse(currentTime) - Date.parse(lastUpdated), limits.healthTimeoutMs);
  health.updated('ip6');
  assert.equal(health.report().healthy, true);
  assert.equal(health.report().lastUpdated, health.report().currentTime);
});

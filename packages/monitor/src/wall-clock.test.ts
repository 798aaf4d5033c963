import assert from 'node:assert/strict';
import { test } from 'node:test';
import { wallClockMs } from './wall-clock.ts';

test('it follows the machine’s clock, also when that is set', (context) => {
  assert.ok(Math.abs(wallClockMs() - Date.now()) < 5);
  const machine = Date.now;
  context.mock.method(Date, 'now', () => machine() + 3_600_000);
  assert.ok(Math.abs(wallClockMs() - machine() - 3_600_000) < 5);
  context.mock.restoreAll();
  assert.ok(Math.abs(wallClockMs() - Date.now()) < 5);
});

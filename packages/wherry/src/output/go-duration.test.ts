import assert from 'node:assert/strict';
import { test } from 'node:test';
import { goDuration } from './go-duration.ts';

test('a time is printed as Go prints it', () => {
  const times = [0, 250, 1_000, 5_500, 60_000, 3_600_000, 5_025_000].map(goDuration);
  assert.deepEqual(times, ['0s', '250ms', '1s', '5.5s', '1m0s', '1h0m0s', '1h23m45s']);
});

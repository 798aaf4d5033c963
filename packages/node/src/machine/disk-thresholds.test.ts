import assert from 'node:assert/strict';
import { test } from 'node:test';
import { diskThresholds } from './disk-thresholds.ts';

const gibibyte = 1024 ** 3;

test('a node evicts pods for its disk when 256 MiB are left, or 1 % of a disk of which that would be more', () => {
  assert.deepEqual(diskThresholds(500 * gibibyte), {
    'nodefs.available': '256Mi',
    'nodefs.inodesFree': '1%',
  });
  assert.equal(diskThresholds(25 * gibibyte)['nodefs.available'], '256Mi');
  assert.equal(diskThresholds(24 * gibibyte)['nodefs.available'], '1%');
  assert.equal(diskThresholds(gibibyte / 4)['nodefs.available'], '1%');
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isRoomToKeep } from './blob-store.ts';

const gibibyte = 1024 ** 3;

test('packed layers stay on a large disk that is nearly full, and not on a small one', () => {
  const large = (freeBytes: number) => isRoomToKeep({ freeBytes, totalBytes: 1024 * gibibyte });
  assert.deepEqual([large(17 * gibibyte), large(15 * gibibyte)], [true, false]);
  const small = (freeBytes: number) => isRoomToKeep({ freeBytes, totalBytes: 10 * gibibyte });
  assert.deepEqual([small(3 * gibibyte), small(1 * gibibyte)], [true, false]);
});

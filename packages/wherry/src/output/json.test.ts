import assert from 'node:assert/strict';
import { test } from 'node:test';
import { toJson } from './json.ts';

test('messages of protobuf have their 64-bit numbers as texts, and bytes in base64', () => {
  assert.equal(toJson({ size: 5n, key: Buffer.from('k') }, 0), '{"size":"5","key":"aw=="}');
});

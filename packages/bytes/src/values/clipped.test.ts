import assert from 'node:assert/strict';
import { test } from 'node:test';
import { clipped } from './clipped.ts';

test('a text that is too long is told by its beginning and its length, which clipping again leaves as it is', () => {
  assert.equal(clipped('x'.repeat(100), 100), 'x'.repeat(100));
  const short = clipped('x'.repeat(1_000), 100);
  assert.match(short, /^x{72}… \(clipped: 1000 characters\)$/);
  assert.equal(clipped(short, 100), short);
  assert.ok(clipped('x'.repeat(1_000), 7).length <= 7);
});

test('no character is cut in half', () => {
  for (const max of [99, 100]) {
    const short = clipped('🜁'.repeat(1_000), max);
    assert.ok(short.length <= max);
    assert.ok(short.isWellFormed(), short);
  }
});

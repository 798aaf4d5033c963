import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseCopySpec } from './copy-spec.ts';

test('the first colon splits pod from path, a slash before it namespace from pod', () => {
  assert.deepEqual(parseCopySpec('/tmp/a'), { path: '/tmp/a' });
  assert.deepEqual(parseCopySpec('p:/tmp/a:b'), { pod: 'p', path: '/tmp/a:b' });
  assert.deepEqual(parseCopySpec('n/p:a'), { namespace: 'n', pod: 'p', path: 'a' });
});

test('anything else before the colon is refused', () => {
  for (const text of [':a', 'x/n/p:a']) assert.throws(() => parseCopySpec(text), /canonical format/);
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { containerHash } from './container-hash.ts';

test('the hash is the one an upstream kubelet computes', () => {
  assert.equal(containerHash({ name: 'test_container', image: 'foo/image:v1' }), '8e45cbd0');
});

test('another image gives another hash', () => {
  assert.notEqual(containerHash({ name: 'a', image: 'b:1' }), containerHash({ name: 'a', image: 'b:2' }));
});

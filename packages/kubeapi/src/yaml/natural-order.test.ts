import assert from 'node:assert/strict';
import { it } from 'node:test';
import { byNaturalOrder } from './natural-order.ts';

it('keys with numbers in them stand by their size', () => {
  const keys = ['a10', 'a9', 'b', 'A', 'a', '_', '10', '9'];
  assert.deepEqual(keys.sort(byNaturalOrder), ['_', '9', '10', 'A', 'a', 'a9', 'a10', 'b']);
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { byId } from './by-id.ts';

test('what is called by the beginning of its id is found where no other begins so, and never taken for gone', () => {
  const items = new Map(['abc', 'abd', 'a'].map((id) => [id, id]));
  const find = (id: string) => byId(items, id, 'containers');
  assert.equal(find('abc'), 'abc');
  assert.equal(find('a'), 'a');
  assert.equal(find('abd'), 'abd');
  assert.equal(find('x'), undefined);
  assert.equal(find(''), undefined);
  assert.throws(() => find('ab'), {
    code: 'INVALID_ARGUMENT',
    message: '"ab" begins the ids of 2 containers',
  });
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { differencesBetween, reasonFor } from './differences.ts';

test('a line that one side tells more often is a difference, in whatever order lines come', () => {
  const found = differencesBetween({ a: ['1', '2', '2'], b: ['x'] }, { a: ['2', '1', '3'] });
  assert.deepEqual(found, [
    { story: 'a', side: 'theirs', line: '2' },
    { story: 'a', side: 'ours', line: '3' },
  ]);
});

test('a known difference counts for its stories and lines alone', () => {
  const known = [{ story: /^a$/, line: /words/, reason: 'meant' }];
  const reasonOf = (story: string, line: string) => reasonFor({ story, side: 'ours', line }, known);
  assert.equal(reasonOf('a', 'its words'), 'meant');
  assert.equal(reasonOf('b', 'its words'), undefined);
  assert.equal(reasonOf('a', 'a number'), undefined);
});

import assert from 'node:assert/strict';
import { it } from 'node:test';
import { IndexRanges } from './index-ranges.ts';
import { IndexSet } from './index-set.ts';

it('indexes are written as upstream writes them', () => {
  const text = (...indexes: number[]) => new IndexSet(indexes).toString();
  assert.equal(text(), '');
  assert.equal(text(7, 3, 4, 5, 1, 10, 9), '1,3-5,7,9,10');
  assert.equal(IndexSet.parse('0-2,4,5,7-90,x,3-', 9).toString(), '0-2,4,5,7,8');
  assert.equal(IndexSet.parse('', 9).size, 0);
});

it('indexes of a range are known by its ends', () => {
  const ranges = IndexRanges.parse('7,0-2,10-1999999999,x', 1_000_000_000);
  assert.equal(ranges.size, 999_999_994);
  const has = (...indexes: number[]) => indexes.filter((index) => ranges.has(index));
  assert.deepEqual(has(0, 2, 3, 6, 7, 8, 9, 10, 999_999_999, 1_000_000_000), [0, 2, 7, 10, 999_999_999]);
  assert.equal(IndexRanges.parse('', 9).has(0), false);
});

import assert from 'node:assert/strict';
import { it } from 'node:test';
import { IndexSet } from './index-set.ts';

it('indexes are written as upstream writes them', () => {
  const text = (...indexes: number[]) => new IndexSet(indexes).toString();
  assert.equal(text(), '');
  assert.equal(text(7, 3, 4, 5, 1, 10, 9), '1,3-5,7,9,10');
  assert.equal(IndexSet.parse('0-2,4,5,7-90,x,3-', 9).toString(), '0-2,4,5,7,8');
  assert.equal(IndexSet.parse('', 9).size, 0);
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as otherWork } from 'node:timers/promises';
import { inTurns } from './in-turns.ts';

test('other work gets its turn between two items, and answers keep their order', async () => {
  const begun: string[] = [];
  const answers = inTurns(['a', 'b', 'c'], async (item) => {
    begun.push(item);
    return item.toUpperCase();
  });
  await otherWork();
  assert.ok(begun.length < 3, `${begun.length} items in one turn`);
  assert.deepEqual(await answers, ['A', 'B', 'C']);
});

test('what fails is told, also when other items have not begun', async () => {
  const work = async (item: number) => {
    if (item === 1) throw new Error('gone');
    return item;
  };
  await assert.rejects(inTurns([1, 2, 3], work), /gone/);
});

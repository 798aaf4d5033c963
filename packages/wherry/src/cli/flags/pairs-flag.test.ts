import assert from 'node:assert/strict';
import { test } from 'node:test';
import { collectPairs } from './pairs-flag.ts';

const read = (...texts: string[]) => [
  ...texts.reduce<ReadonlyMap<string, string> | undefined>(
    (previous, text) => collectPairs(text, previous),
    undefined,
  )!,
];

test('pairs stand between commas, and in flags that are repeated; the last of a name counts', () => {
  assert.deepEqual(read('a=1,b=2', 'c=3', 'a=4'), [
    ['a', '4'],
    ['b', '2'],
    ['c', '3'],
  ]);
});

test('commas belong to the value of a pair that is alone, and of one in quotes', () => {
  assert.deepEqual(read('a=1,2'), [['a', '1,2']]);
  assert.deepEqual(read('"a=1"'), [['a', '1']]);
  assert.deepEqual(read('"a=1,2","b=say ""x""",c=d=e,f='), [
    ['a', '1,2'],
    ['b', 'say "x"'],
    ['c', 'd=e'],
    ['f', ''],
  ]);
});

test('what is no pair, and a quote inside of one, is refused', () => {
  for (const text of ['a', 'a,b', ''])
    assert.throws(() => read(text), { message: `${text} must be formatted as key=value` });
  assert.throws(() => read('a=1,b=2,c'), { message: 'c must be formatted as key=value' });
  assert.throws(() => read('a=1,b="2"'), /a quote in "a=1,b="2"" begins or ends inside of a pair/);
});

import assert from 'node:assert/strict';
import { it } from 'node:test';
import { selectControllers } from './select-controllers.ts';

const known = [{ name: 'a' }, { name: 'b' }, { name: 'c' }];
const chosen = (...words: string[]) => selectControllers(words, known).map(({ name }) => name);

it('chooses controllers by the words of upstream', () => {
  assert.deepEqual(chosen('*'), ['a', 'b', 'c']);
  assert.deepEqual(chosen('*', '-b'), ['a', 'c']);
  assert.deepEqual(chosen('b'), ['b']);
  assert.deepEqual(chosen('-b'), []);
  assert.deepEqual(chosen(), []);
  assert.throws(() => chosen('*', '-d'), /"d" is not in the list of known controllers: a, b, c/);
});

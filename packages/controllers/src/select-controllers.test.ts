import assert from 'node:assert/strict';
import { it } from 'node:test';
import { selectControllers } from './select-controllers.ts';

const known = [{ name: 'a' }, { name: 'b' }, { name: 'c' }];
const named = (...names: string[]) => names.map((name) => ({ name }));
const chosen = (...words: string[]) => selectControllers(words, known).map(({ name }) => name);

it('chooses controllers by the words of upstream', () => {
  assert.deepEqual(chosen('*'), ['a', 'b', 'c']);
  assert.deepEqual(chosen('*', '-b'), ['a', 'c']);
  assert.deepEqual(chosen('b'), ['b']);
  assert.deepEqual(chosen('-b'), []);
  assert.deepEqual(chosen(), []);
  assert.throws(() => chosen('*', '-d'), /"d" is not in the list of known controllers: a, b, c/);
});

it('takes the older names of upstream, and leaves out what is not there', () => {
  const controllers = named(
    'bootstrap-signer-controller',
    'job-controller',
    'pod-garbage-collector-controller',
  );
  const of = (...words: string[]) => selectControllers(words, controllers).map(({ name }) => name);
  assert.deepEqual(of('*', 'bootstrapsigner', '-service', '-route', '-job'), [
    ...['bootstrap-signer-controller', 'pod-garbage-collector-controller'],
  ]);
  assert.deepEqual(of('podgc'), ['pod-garbage-collector-controller']);
  assert.throws(() => of('*', 'ttl'), /"ttl" is not there: it can only be left out/);
  assert.throws(() => of('*', '-toString'), /"toString" is not in the list/);
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { namesMeant } from './names-meant.ts';

test('of an image that is built of the same files again the name is told that was asked for', () => {
  const names = ['docker.io/library/web:1', 'docker.io/library/web:latest', 'localhost:5000/web:2'];
  assert.deepEqual(namesMeant('web:1', names), ['docker.io/library/web:1']);
  assert.deepEqual(namesMeant('web', names), ['docker.io/library/web:latest']);
  assert.deepEqual(namesMeant('localhost:5000/web:2', names), ['localhost:5000/web:2']);
  assert.deepEqual(namesMeant('other', names), names);
});

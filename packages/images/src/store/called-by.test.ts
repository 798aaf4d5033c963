import assert from 'node:assert/strict';
import { test } from 'node:test';
import { calledBy } from './called-by.ts';

const tags = ['docker.io/library/web:1', 'docker.io/library/web:latest', 'registry.test/web:1'];

for (const [text, name] of [
  ['web', 'docker.io/library/web:latest'],
  ['web:1', 'docker.io/library/web:1'],
  ['registry.test/web:1', 'registry.test/web:1'],
  [`web@sha256:${'0'.repeat(64)}`, 'docker.io/library/web:1'],
  ['Not A Name', 'docker.io/library/web:1'],
] as const) {
  test(`an image that was named ${text.slice(0, 20)} is called ${name}`, () => {
    assert.equal(calledBy({ tags }, text), name);
  });
}

test('an image without tags has no such name', () => {
  assert.equal(calledBy({ tags: [] }, 'web'), undefined);
});

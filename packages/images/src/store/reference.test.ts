import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseReference, tagName } from './reference.ts';

const digest = `sha256:${'a'.repeat(64)}` as const;

for (const [text, canonical] of [
  ['busybox', 'docker.io/library/busybox:latest'],
  ['busybox:1.36', 'docker.io/library/busybox:1.36'],
  ['some/name', 'docker.io/some/name:latest'],
  ['docker.io/busybox', 'docker.io/library/busybox:latest'],
  ['index.docker.io/library/busybox', 'docker.io/library/busybox:latest'],
  ['localhost/a', 'localhost/a:latest'],
  ['127.0.0.1:5000/a/b:x', '127.0.0.1:5000/a/b:x'],
  ['example.test/a__b/c-d.e:v1', 'example.test/a__b/c-d.e:v1'],
] as const) {
  test(`"${text}" means ${canonical}`, () => {
    assert.equal(tagName(parseReference(text)), canonical);
  });
}

test('a name by digest has no tag', () => {
  const reference = parseReference(`example.test/a@${digest}`);
  assert.equal(tagName(reference), undefined);
  assert.equal(reference.digest, digest);
});

test('a name with tag and digest keeps both', () => {
  const reference = parseReference(`example.test/a:1@${digest}`);
  assert.equal(reference.tag, '1');
  assert.equal(reference.digest, digest);
});

for (const text of [
  '',
  'UPPER',
  'a//b',
  'a:',
  'a@sha256:short',
  'a b',
  '-a',
  'a:tag!',
  `a@${digest}@${digest}`,
]) {
  test(`"${text}" is refused as an image name`, () => {
    assert.throws(() => parseReference(text), { code: 'INVALID_ARGUMENT' });
  });
}

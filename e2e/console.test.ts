import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isAsShown, shownCommands } from './console.ts';

test('a document’s commands come with their here-documents and what they print', () => {
  const text = '```console\n$ cat <<X\n> a\n> X\na\n$ true\n```\n\n```sh\n$ not this\n```\n';
  assert.deepEqual(shownCommands(text), [
    { command: 'cat <<X\na\nX', prints: ['a'] },
    { command: 'true', prints: [] },
  ]);
});

test('an output is compared with what is shown, and … stands for what differs', () => {
  assert.ok(isAsShown('NAME   AGE\nweb    3s\n', ['NAME  AGE', 'web    …']));
  assert.ok(isAsShown('x\ny\nlast\n', ['…', 'last']));
  assert.ok(isAsShown('', []));
  assert.ok(!isAsShown('surprise\n', []));
  assert.ok(!isAsShown('webs 3s\n', ['web …']));
});

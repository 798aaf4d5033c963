import assert from 'node:assert/strict';
import { test } from 'node:test';
import { serverPath } from './raw.ts';

test('a raw path stays on the server and below its root', () => {
  assert.equal(serverPath('/api/v1/pods?limit=1&x=%20'), '/api/v1/pods?limit=1&x=%20');
  assert.equal(serverPath('/'), '/');
  assert.equal(serverPath('/a/../../b/%2e%2e/c'), '/c');
  for (const bad of [
    '',
    'api',
    '//evil.example/x',
    '/\\evil.example',
    'http://evil.example/',
    '/a b',
    '/a#b',
  ])
    assert.throws(() => serverPath(bad), /--raw must be a valid URL path/, bad);
});

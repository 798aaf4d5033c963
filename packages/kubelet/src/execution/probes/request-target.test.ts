import assert from 'node:assert/strict';
import { test } from 'node:test';
import { requestTarget } from './request-target.ts';

for (const [path, asked] of [
  ['', '/'],
  ['healthz', '/healthz'],
  ['/a/../b/./c', '/a/../b/./c'],
  ['/a//b/', '/a//b/'],
  ['/a%2Fb%2e%2e', '/a%2Fb%2e%2e'],
  ["/it's(here)!*", "/it's(here)!*"],
  ['/a b/ö', '/a%20b/%C3%B6'],
  ['/a%2Fb c', '/a/b%20c'],
  ['/a\\b', '/a%5Cb'],
  ['/100%', '/100%25'],
  ['/50%?x#y', '/50%25%3Fx%23y'],
  ['/a?b=/../c&d=%zz', '/a?b=/../c&d=%zz'],
  ['/a?', '/a?'],
  ['?b', '/?b'],
  ['/a#b', '/a'],
  ['//host/path', '/path'],
  ['///path', '///path'],
  ['http://host/path?x', '/path?x'],
] as const)
  test(`a handler with the path "${path}" asks for "${asked}"`, () => {
    assert.equal(requestTarget(path), asked);
  });

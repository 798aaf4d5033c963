import assert from 'node:assert/strict';
import { test } from 'node:test';
import { requestAttributes } from './request-attributes.ts';

const cases: [string, readonly string[]][] = [
  ['/stats/summary', ['stats']],
  ['/metrics', ['metrics']],
  ['/metrics/resource', ['metrics']],
  ['/logs/', ['log']],
  ['/checkpoint/a/b/c', ['checkpoint']],
  ['/pods', ['pods', 'proxy']],
  ['/runningpods/', ['pods', 'proxy']],
  ['/healthz/ping', ['healthz', 'proxy']],
  ['/configz', ['configz', 'proxy']],
  ['/statusz', ['statusz']],
  ['/flagz', ['configz']],
  ['/exec/a/b/c', ['proxy']],
  ['/attach/a/b/c', ['proxy']],
  ['/run/a/b/c', ['proxy']],
  ['/portForward/a/b', ['proxy']],
  ['/containerLogs/a/b/c', ['proxy']],
  ['/debug/pprof/', ['proxy']],
];

for (const [path, subresources] of cases) {
  test(`${path} needs ${subresources.join(' or ')}`, () => {
    assert.deepEqual(requestAttributes('GET', path, false).subresources, subresources);
  });
}

test('the verb follows the method', () => {
  const verbs = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD'].map(
    (method) => requestAttributes(method, '/pods', true).verb,
  );
  assert.deepEqual(verbs, ['get', 'create', 'update', 'patch', 'delete', '']);
});

test('exec by GET needs only get in lax mode, and create in strict mode', () => {
  assert.equal(requestAttributes('GET', '/exec/a/b/c', false).verb, 'get');
  for (const root of ['exec', 'attach', 'run', 'portForward']) {
    assert.equal(requestAttributes('GET', `/${root}/a/b/c`, true).verb, 'create');
  }
  assert.equal(requestAttributes('GET', '/containerLogs/a/b/c', true).verb, 'get');
});

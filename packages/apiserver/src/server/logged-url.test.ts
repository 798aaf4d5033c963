import assert from 'node:assert/strict';
import { test } from 'node:test';
import { loggedUrl } from './logged-url.ts';

test('a logged URL tells path and parameters, but no command that is run in a pod, however it is spelled', () => {
  const exec = '/api/v1/namespaces/a/pods/b/exec';
  assert.equal(loggedUrl(`${exec}?command=login&command=s3cret&stdin=true`), `${exec}?command=-&stdin=true`);
  assert.equal(loggedUrl(`${exec}?comm%61nd=s3cret&stdin=true`), `${exec}?command=-&stdin=true`);
  assert.equal(loggedUrl('/api/v1/pods?watch=true'), '/api/v1/pods?watch=true');
  assert.equal(loggedUrl('/healthz'), '/healthz');
});

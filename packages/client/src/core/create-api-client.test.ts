import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createApiClient } from './create-api-client.ts';

test('a server that is no http or https URL is refused by name', () => {
  for (const server of ['cluster.example', 'ftp://cluster.example'])
    assert.throws(() => createApiClient({ server }), {
      code: 'bad-argument',
      message: `server "${server}" is no http or https URL`,
    });
});

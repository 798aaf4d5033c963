import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createLogger } from './logger.ts';
import { unattended } from './unattended.ts';

test('work that nobody waits for fails as a line in the log, whatever cleaning up does', async () => {
  const lines: string[] = [];
  const logger = createLogger('part', { write: (line) => lines.push(line) });
  const cleaned: unknown[] = [];
  const onFailure = (error: unknown) => {
    cleaned.push(error);
    throw new Error('cleaning up failed too');
  };
  const failure = new Error('boom');
  unattended(Promise.reject(failure), { logger, task: 'a request', onFailure });
  unattended(Promise.resolve(), { logger, task: 'another', onFailure });
  await new Promise((resolve) => setImmediate(resolve));
  assert.deepEqual(cleaned, [failure]);
  assert.equal(lines.length, 1);
  assert.match(lines[0]!, /error part "a request failed where nothing should" error="boom" stack=/);
});

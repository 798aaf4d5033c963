import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createLogger } from '@wherry/telemetry';
import { RuntimeError } from '../errors.ts';
import { guardHandlers } from './guard.ts';

test('what a command was is told to its caller, and to no log', async () => {
  let logged = '';
  const logger = createLogger('runtime', {
    level: 'debug',
    write: (line: string) => {
      logged += line;
    },
  });
  const refuse = () => Promise.reject(new RuntimeError('UNKNOWN', 'exec: "s3cret": no such file'));
  const handlers = guardHandlers(
    { exec: refuse, execSync: refuse, startContainer: refuse },
    logger,
  ) as Record<string, (request: object, context: object) => Promise<unknown>>;
  for (const call of ['exec', 'execSync']) {
    await assert.rejects(handlers[call]!({}, {}), { message: /s3cret/ });
    assert.match(logged, new RegExp(`call=${call}\\b`));
  }
  assert.doesNotMatch(logged, /s3cret/);
  await assert.rejects(handlers['startContainer']!({}, {}));
  assert.match(logged, /no such file/);
});

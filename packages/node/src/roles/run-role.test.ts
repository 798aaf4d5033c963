import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { test } from 'node:test';
import { promisify } from 'node:util';

const run = promisify(execFile);

test('a part of the node outlives a rejection that nobody caught, and tells of it', async () => {
  const program = `
    const { runUntilSignal, roleLogger } = await import(${JSON.stringify(new URL('run-role.ts', import.meta.url).href)});
    const ended = runUntilSignal(roleLogger('part', 2), () => console.log('closed'));
    Promise.reject(new Error('nobody waits for this'));
    setInterval(() => process.kill(process.pid, 'SIGTERM'), 50);
    await ended;`;
  const { stdout, stderr } = await run(process.execPath, ['--input-type=module', '-e', program]);
  assert.equal(stdout, 'closed\n');
  assert.match(stderr, /error part "a rejection was caught by nobody" error="nobody waits for this" stack=/);
});

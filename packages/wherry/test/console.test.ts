/** `wherry console` as a user starts and ends it. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { it } from 'node:test';
import { startApiServer } from '@wherry/testing';

const main = new URL('../src/main.ts', import.meta.url).pathname;

it('prints a link that lets a browser in once, and ends with Ctrl-C', { timeout: 120_000 }, async () => {
  await using server = await startApiServer();
  const words = [main, 'console', '--kubeconfig', server.kubeconfig.path];
  const command = spawn(process.execPath, words, { stdio: ['ignore', 'pipe', 'inherit'] });
  const lines = createInterface(command.stdout)[Symbol.asyncIterator]();
  const line = async () => String((await lines.next()).value);
  const [, link = ''] = /^open (http:\/\/127\.0\.0\.1:\d+\/login\?token=\S+)$/.exec(await line()) ?? [];
  assert.match(await line(), /Ctrl-C ends/);
  const first = await fetch(link);
  assert.equal(first.status, 200);
  const [, next = ''] = /the link for another: (\S+)$/.exec(await line()) ?? [];
  assert.equal((await fetch(link)).status, 401);
  assert.equal((await fetch(next)).status, 200);
  const ended = once(command, 'exit');
  command.kill('SIGINT');
  assert.deepEqual(await ended, [0, null]);
});

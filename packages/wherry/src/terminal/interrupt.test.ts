import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';

const program = `
import { setTimeout as delay } from 'node:timers/promises';
import { interruptible } from ${JSON.stringify(new URL('interrupt.ts', import.meta.url).href)};
const clean = async (signal) => {
  console.log('began');
  await delay(60_000, undefined, { signal }).catch(() => {});
  console.log('cleaning');
  await delay(Number(process.argv[1]));
  console.log('clean');
  signal.throwIfAborted();
};
await interruptible(clean).catch(({ exitCode }) => process.exit(exitCode));
`;

/** A program whose work takes so long to clean up; `said` resolves once it has written these words. */
function begin(cleaningMs: number) {
  const child = spawn(process.execPath, ['--input-type=module', '-e', program, `${cleaningMs}`], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let text = '';
  child.stdout.on('data', (chunk) => {
    text += chunk;
  });
  const ended = once(child, 'close').then(([code, signal]) => ({ code, signal, text }));
  const said = async (words: string) => {
    while (!text.includes(words)) await once(child.stdout, 'data');
  };
  return { child, ended, said };
}

test('Ctrl-C that npm hands on once more is one wish: what has to be cleaned up is', async () => {
  const { child, ended, said } = begin(300);
  await said('began');
  child.kill('SIGINT');
  await said('cleaning');
  child.kill('SIGINT');
  child.kill('SIGHUP');
  assert.deepEqual(await ended, { code: 130, signal: null, text: 'began\ncleaning\nclean\n' });
});

test('another Ctrl-C after a second ends the process at once; a terminal that is closed does not', async () => {
  const { child, ended, said } = begin(30_000);
  await said('began');
  child.kill('SIGTERM');
  await said('cleaning');
  await delay(1_100);
  child.kill('SIGHUP');
  await delay(200);
  child.kill('SIGINT');
  assert.deepEqual(await ended, { code: null, signal: 'SIGINT', text: 'began\ncleaning\n' });
});

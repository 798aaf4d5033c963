import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { after, before, test } from 'node:test';
import { Harness, until } from './harness.ts';

const harness = new Harness();
before(() => harness.start());
after(() => harness.stop());

/** Every request is a shell's script on stdin. */
function run(script: string, change: { timeoutMs?: number; outputBytesMax?: number; turn?: string } = {}) {
  const options = { timeoutMs: 5_000, outputBytesMax: 4_096, turn: '', ...change };
  return { program: '/bin/sh', environment: { WORD: 'given' }, stdin: script, ...options };
}
const call = (...[script, change]: Parameters<typeof run>) =>
  harness.client.call('program.run', run(script, change));
const text = (bytes: Uint8Array) => Buffer.from(bytes).toString();
const isThere = (word: string) =>
  readdirSync('/proc').some((name) => {
    try {
      return /^\d+$/.test(name) && commandLineOf(name).includes(word);
    } catch {
      return false;
    }
  });
const commandLineOf = (pid: string) => readFileSync(`/proc/${pid}/cmdline`, 'utf8');

test('a program finds what it was given and nothing else, and its outputs and exit code come back', async () => {
  const script = 'echo "$WORD" "$HOME" $(ps -o sid= -p $$) $$; echo oops >&2; exit 7';
  const { exitCode, stdout, stderr } = await call(script);
  assert.equal(exitCode, 7);
  assert.match(text(stdout), /^given {1,2}(\d+) \1\n$/, 'it leads a session of its own');
  assert.equal(text(stderr), 'oops\n');
});

test('a program whose time is over is killed with all of its process group', async () => {
  const late = call('sleep 98761 & sleep 98762', { timeoutMs: 200 });
  await assert.rejects(late, { code: 'DEADLINE_EXCEEDED', message: /within 200 ms and was killed/ });
  await until(() => !isThere('9876'));
});

test('a program that prints without end is killed', async () => {
  await assert.rejects(call('yes'), { code: 'RESOURCE_EXHAUSTED', message: /more than 4096 bytes/ });
});

test('a caller who gives up ends its program, and who comes next in its turn begins after that', async () => {
  const abort = new AbortController();
  const first = harness.client.call('program.run', run('sleep 98763', { turn: 'a' }), {
    signal: abort.signal,
  });
  await until(() => isThere('98763'));
  const second = call('date', { turn: 'a' });
  const other = await call('echo other', { turn: 'b' });
  assert.equal(text(other.stdout), 'other\n');
  assert.ok(isThere('98763'), 'it still runs');
  abort.abort(new Error('enough'));
  await assert.rejects(first, /enough/);
  assert.equal((await second).exitCode, 0);
  assert.ok(!isThere('98763'));
});

test('programs leave no descriptor behind', async () => {
  await call('true');
  const descriptors = () => readdirSync('/proc/self/fd').length;
  const before = descriptors();
  for (let rounds = 0; rounds < 20; rounds++) await call('true');
  await until(() => descriptors() <= before);
});

test('a program that is not there, or that is no path, is said so', async () => {
  const absent = { ...run(''), program: '/no/such/program' };
  await assert.rejects(harness.client.call('program.run', absent), /ENOENT/);
  const name = { ...run(''), program: 'sh' };
  await assert.rejects(harness.client.call('program.run', name), { code: 'INVALID_ARGUMENT' });
});

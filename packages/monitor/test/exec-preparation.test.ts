import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { after, before, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { limits } from '../src/limits.ts';
import { processOf } from './bundle.ts';
import { Harness, until } from './harness.ts';
import { connect, textOf } from './session.ts';
import { streams } from './streams.ts';

const harness = new Harness();
let container = '';

before(async () => {
  await harness.start();
  container = (await harness.run(['sleep', '1000'])).id;
});
after(() => harness.stop());

async function urlFor(args: string[], containerId = container): Promise<string> {
  const process = processOf(args);
  return (await harness.client.call('stream.exec', { containerId, process, ...streams() })).url;
}

async function redeem(url: string): Promise<[string, number]> {
  const session = await connect(url, streams(), 'spdy');
  return Promise.all([textOf(session.stdout), session.exitCode]);
}

async function printed(args: string[]): Promise<string> {
  const params = { containerId: container, process: processOf(args), timeoutMs: 10_000 };
  return Buffer.from((await harness.client.call('exec.sync', params)).stdout).toString();
}

/** OCI runtimes of this monitor that are in an `exec`. */
function waitingRuntimes(): number {
  const isOurs = (pid: string) => {
    try {
      const words = readFileSync(`/proc/${pid}/cmdline`, 'latin1').split('\0');
      return words.includes('exec') && words.includes(`${harness.dataDir}/oci`);
    } catch {
      return false;
    }
  };
  return readdirSync('/proc').filter((name) => /^\d+$/.test(name) && isOurs(name)).length;
}

test('a URL that was given out has the OCI runtime wait, and starts nothing before it is redeemed', async () => {
  const url = await urlFor(['sh', '-c', 'echo ran > /tmp/ran; cat /tmp/ran']);
  await until(() => waitingRuntimes() === 1);
  await delay(300);
  assert.equal(await printed(['sh', '-c', 'ls /tmp | grep ran || true']), '');
  assert.deepEqual(await redeem(url), ['ran\n', 0]);
  assert.equal(waitingRuntimes(), 0);
});

test('more URLs than preparations at once all run, each its own command', async () => {
  const count = limits.preparedExecsMax * 2;
  const urls = await Promise.all(Array.from({ length: count }, (_, index) => urlFor(['echo', `${index}`])));
  await delay(300);
  assert.ok(waitingRuntimes() <= limits.preparedExecsMax);
  const results = await Promise.all(urls.map(redeem));
  assert.deepEqual(
    results,
    urls.map((_, index) => [`${index}\n`, 0]),
  );
});

test('a description larger than a pipe holds arrives whole', async () => {
  const words = ['x'.repeat(100_000), 'y'.repeat(100_000)];
  const url = await urlFor(['sh', '-c', 'echo "$#$1$2" | wc -c', 'sh', ...words]);
  assert.deepEqual(await redeem(url), ['200002\n', 0]);
});

test('a container that ended meanwhile fails the session', async () => {
  const { id } = await harness.run(['sleep', '1000']);
  const url = await urlFor(['echo', 'never'], id);
  await until(() => waitingRuntimes() === 1);
  await harness.client.call('container.kill', { id, signal: 9 });
  await harness.client.call('container.wait', { id });
  const session = await connect(url, streams(), 'spdy');
  const output = textOf(session.stdout);
  await assert.rejects(session.exitCode, /error executing command in container: \w+ exec: /);
  assert.equal(await output, '');
});

test('a client that takes longer than a preparation waits is served all the same', async () => {
  const url = await urlFor(['echo', 'late']);
  await until(() => waitingRuntimes() === 1);
  await delay(limits.preparedExecLifetimeMs);
  await until(() => waitingRuntimes() === 0);
  assert.deepEqual(await redeem(url), ['late\n', 0]);
});

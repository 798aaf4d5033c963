import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { after, before, test } from 'node:test';
import { unlessKubectlHas } from '../../../../e2e/kubectl-version.ts';
import { startRelay } from '../../../client/test/relay.ts';
import { Served } from './served.ts';

const main = new URL('../../src/main.ts', import.meta.url).pathname;

let served: Served;
before(async () => {
  served = await Served.start();
});
after(() => served?.close());

let happened = 0;
/** Each a minute after the one before, twenty days and a half ago, so that no age changes while a test runs. */
function moment() {
  happened += 1;
  const time = new Date(Date.now() - 20.5 * 86_400_000 + happened * 60_000)
    .toISOString()
    .replace(/\.\d+/, '');
  return { firstTimestamp: time, lastTimestamp: time };
}

const happens = (name: string, reason: string) =>
  served.client.create({
    ...{ apiVersion: 'v1', kind: 'Event', metadata: { name, namespace: 'default' }, reason, type: 'Normal' },
    ...moment(),
    involvedObject: { kind: 'Pod', name: 'web', namespace: 'default' },
  });

test('events -w tells once of each event, over a connection that is torn', { timeout: 60_000 }, async () => {
  const relay = await startRelay(served.server.apiserver.port);
  const words = [main, 'events', '-w', '-s', `https://127.0.0.1:${relay.port}`];
  const command = spawn(process.execPath, [...words, '--kubeconfig', served.server.kubeconfig], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  try {
    const lines = createInterface(command.stdout)[Symbol.asyncIterator]();
    const line = async () => String((await lines.next()).value);
    await happens('before', 'Before');
    assert.match(await line(), /^LAST SEEN +TYPE +REASON +OBJECT/);
    assert.match(await line(), /Normal +Before +Pod\/web/);
    relay.tear();
    await happens('after', 'After');
    assert.match(await line(), /Normal +After +Pod\/web/);
    relay.tear();
    await happens('last', 'Last');
    assert.match(await line(), /Normal +Last +Pod\/web/);
  } finally {
    command.kill('SIGINT');
    relay.close();
  }
});

test('events prints rows alone, and in chunks, as kubectl', {
  skip: unlessKubectlHas('events'),
}, async () => {
  for (const line of [
    'events --no-headers',
    'events -A --no-headers --chunk-size=1',
    'events --chunk-size=0',
  ]) {
    const theirs = await served.server.kubectl(line.split(' '));
    const ours = await served.run(line);
    const rows = (text: string) => text.replace(/ +$/gm, '');
    assert.deepEqual([ours.code, rows(ours.stdout)], [theirs.code, rows(theirs.stdout)], line);
  }
});

test('events -o prints a list of events, and with -w one after the other', async () => {
  const { stdout } = await served.run('events -o json');
  const list = JSON.parse(stdout);
  assert.deepEqual([list.kind, list.apiVersion, list.metadata], ['EventList', 'v1', {}]);
  const [first] = list.items;
  assert.deepEqual([first.kind, first.reason, first.metadata.managedFields], ['Event', 'Before', undefined]);
  const shown = await served.run('events -o json --show-managed-fields');
  assert.notEqual(JSON.parse(shown.stdout).items[0].metadata.managedFields, undefined);
  assert.match((await served.run('events -o name')).stdout, /^event\/before\n/);
  const none = await served.run('events -o json --types=Warning');
  assert.deepEqual([none.stdout, none.stderr], ['', 'No events found in default namespace.\n']);
  const words = [main, 'events', '-w', '-o', 'name', '--kubeconfig', served.server.kubeconfig];
  const command = spawn(process.execPath, words, { stdio: ['ignore', 'pipe', 'inherit'] });
  try {
    const lines = createInterface(command.stdout)[Symbol.asyncIterator]();
    const line = async () => String((await lines.next()).value);
    for (const name of ['before', 'after', 'last']) assert.equal(await line(), `event/${name}`);
    await happens('more', 'More');
    assert.equal(await line(), 'event/more');
  } finally {
    command.kill('SIGINT');
  }
});

test('--request-timeout ends what watches, which is no failure', { timeout: 60_000 }, async () => {
  for (const line of [
    'get configmaps -w',
    'get namespace default -w -o name',
    'get cm --watch-only',
    'events -w',
  ]) {
    const { code, stderr } = await served.run(`${line} --request-timeout=1s -v=5`);
    assert.equal(code, 0, line);
    assert.match(stderr, /^Timeout: --request-timeout has ended the watch after 1000 ms$/m, line);
  }
});

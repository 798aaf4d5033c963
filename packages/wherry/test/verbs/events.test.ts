import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { after, before, test } from 'node:test';
import { startRelay } from '../../../client/test/relay.ts';
import { Served } from './served.ts';

const main = new URL('../../src/main.ts', import.meta.url).pathname;

let served: Served;
before(async () => {
  served = await Served.start();
});
after(() => served?.close());

const happens = (name: string, reason: string) =>
  served.client.create({
    ...{ apiVersion: 'v1', kind: 'Event', metadata: { name, namespace: 'default' }, reason, type: 'Normal' },
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
    assert.match(await line(), /Normal +Before +pod\/web/);
    relay.tear();
    await happens('after', 'After');
    assert.match(await line(), /Normal +After +pod\/web/);
    relay.tear();
    await happens('last', 'Last');
    assert.match(await line(), /Normal +Last +pod\/web/);
  } finally {
    command.kill('SIGINT');
    relay.close();
  }
});

import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { FakeClock } from '@wherry/clock';
import { silentLogger } from '@wherry/telemetry';
import { TestAuthority } from '../../../test/pki.ts';
import { TestEtcd } from '../../../test/test-etcd.ts';
import { periods } from '../../limits.ts';
import { EtcdConnection } from './etcd-connection.ts';
import type { WatchResponse } from './etcd-messages.ts';

const timeoutMs = 2_000;

test('an etcd with another authority is asked by renewed files, and a watch runs on meanwhile', async (context) => {
  const folder = mkdtempSync(join(tmpdir(), 'wherry-etcd-files-'));
  context.after(() => rmSync(folder, { recursive: true }));
  const file = (name: string) => join(folder, name);
  const [caFile, certFile, keyFile] = [file('ca.crt'), file('client.crt'), file('client.key')];
  const served = { ca: file('clients.crt'), cert: file('server.crt'), key: file('server.key') };
  const [first, second] = [await TestAuthority.create('first'), await TestAuthority.create('second')];
  const server = await first.issue({ name: 'etcd', hosts: ['127.0.0.1'] });
  writeFileSync(served.ca, first.cert);
  writeFileSync(served.cert, server.cert);
  writeFileSync(served.key, server.key);
  const client = await first.issue({ name: 'apiserver' });
  writeFileSync(caFile, first.cert);
  writeFileSync(certFile, client.cert);
  writeFileSync(keyFile, client.key);
  const etcd = await TestEtcd.start(served);
  context.after(() => etcd.close());
  const clock = new FakeClock({ nowMs: Date.now() });
  const files = { caFile, certFile, keyFile };
  const connection = new EtcdConnection({ servers: [etcd.url], ...files }, { clock, logger: silentLogger });
  context.after(() => connection.close());
  const put = (name: string) =>
    connection.call(
      'txn',
      {
        ...{ compare: [], failure: [] },
        success: [{ put: { key: Buffer.from(name), value: Buffer.from('x') } }],
      },
      { timeoutMs },
    );
  const look = async () => {
    clock.advance(periods.configurationFileMs);
    await delay(100);
  };
  const seen: string[] = [];
  const watch = connection.watch({
    onResponse: ({ events }: WatchResponse) =>
      seen.push(...events.map(({ value }) => Buffer.from(value!.key).toString())),
    onEnd: (error) => seen.push(String(error)),
  });
  context.after(() => watch.close());
  watch.send({ create: { key: Buffer.from('/'), rangeEnd: Buffer.from('0') } });
  await put('/one');
  const shown = async (...names: string[]) => {
    for (let attempt = 0; attempt < 50 && seen.length < names.length; attempt += 1) await delay(20);
    assert.deepEqual(seen, names);
  };
  await shown('/one');

  // Another certificate of the same authority: nothing is torn.
  const renewed = await first.issue({ name: 'apiserver' });
  writeFileSync(certFile, renewed.cert);
  writeFileSync(keyFile, renewed.key);
  await look();
  await put('/two');
  await shown('/one', '/two');
  clock.advance(periods.configurationStartMs);
  await put('/three');
  await shown('/one', '/two', '/three');

  // Another authority altogether, of etcd as of those that it lets in.
  watch.close();
  await etcd.kill();
  const other = await second.issue({ name: 'etcd', hosts: ['127.0.0.1'] });
  writeFileSync(served.ca, second.cert);
  writeFileSync(served.cert, other.cert);
  writeFileSync(served.key, other.key);
  await etcd.startAgain();
  const refused = put('/four');
  const ticking = setInterval(() => clock.advance(periods.etcdRetryMs), 50);
  await assert.rejects(refused, { code: 'unavailable' });
  clearInterval(ticking);
  const theirs = await second.issue({ name: 'apiserver' });
  writeFileSync(caFile, second.cert);
  writeFileSync(certFile, theirs.cert);
  writeFileSync(keyFile, theirs.key);
  await look();
  const { succeeded } = await put('/five');
  assert.ok(succeeded);
});

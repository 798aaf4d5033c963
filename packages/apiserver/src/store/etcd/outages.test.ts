import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { systemClock } from '@wherry/clock';
import { silentLogger } from '@wherry/telemetry';
import { TestEtcd } from '../../../test/test-etcd.ts';
import { TestServer } from '../../../test/test-server.ts';
import { WatchClient } from '../../../test/watch-client.ts';
import { etcdForm } from '../../objects/etcd-form.ts';
import { EtcdStore } from './etcd-store.ts';

const logger = silentLogger;
const maps = '/api/v1/namespaces/default/configmaps';

describe('an API server on an etcd that fails', () => {
  let etcd: TestEtcd;
  let server: TestServer;
  beforeEach(async () => {
    etcd = await TestEtcd.start();
    server = await TestServer.start({ etcdServers: [etcd.url], logger });
  });
  afterEach(async () => {
    await server.close();
    await etcd.close();
  });

  it('loses no acknowledged write and no event of a watch when etcd is killed under writers', async () => {
    const { body } = await server.request('GET', maps);
    const from = body.metadata.resourceVersion;
    const watch = await WatchClient.open(server, `${maps}?watch=true&resourceVersion=${from}`);
    const acknowledged: string[] = [];
    let isOver = false;
    const writers = Array.from({ length: 8 }, async (_, writer) => {
      for (let index = 0; !isOver; index += 1) {
        const name = `m-${writer}-${index}`;
        const { status } = await server.request('POST', maps, { body: { metadata: { name } } });
        if (status === 201) acknowledged.push(name);
      }
    });
    for (let kill = 0; kill < 3; kill += 1) {
      await delay(400);
      await etcd.kill();
      await etcd.startAgain();
    }
    await delay(400);
    isOver = true;
    await Promise.all(writers);
    const last = await server.request('POST', maps, { body: { metadata: { name: 'last' } } });
    assert.equal(last.status, 201, last.text);
    while (watch.lines.at(-1)?.object.metadata.name !== 'last') await watch.first(watch.lines.length + 1);
    const list = await server.request('GET', maps);
    const stored = list.body.items.map(({ metadata }: { metadata: { name: string } }) => metadata.name);
    const told = watch.lines.map(({ object }) => object.metadata.name);
    assert.ok(acknowledged.length > 20, `${acknowledged.length} writes`);
    for (const name of acknowledged) assert.ok(stored.includes(name), `${name} is gone`);
    assert.deepEqual(told.toSorted(), stored.toSorted());
    const versions = watch.lines.map(({ object }) => Number(object.metadata.resourceVersion));
    assert.deepEqual(
      versions,
      versions.toSorted((left, right) => left - right),
    );
  });

  it('tells that it is not ready, and answers with a Status, while etcd does not answer', async () => {
    await etcd.pause();
    try {
      const answer = await server.request('POST', maps, { body: { metadata: { name: 'x' } } });
      assert.deepEqual([answer.status, answer.body.reason], [504, 'Timeout']);
      for (const path of ['/readyz/etcd', '/readyz/etcd-readiness', '/livez/etcd', '/readyz'])
        assert.equal((await server.request('GET', path)).status, 500, path);
    } finally {
      etcd.goOn();
    }
    for (let attempt = 0; (await server.request('GET', '/readyz')).status !== 200; attempt += 1) {
      assert.ok(attempt < 100, 'it does not become ready again');
      await delay(100);
    }
    assert.equal((await server.request('POST', maps, { body: { metadata: { name: 'y' } } })).status, 201);
  });

  it('ends what is behind history that another has compacted with 410, and goes on itself', async () => {
    const { body } = await server.request('GET', maps);
    const old = body.metadata.resourceVersion;
    for (let index = 0; index < 5; index += 1)
      await server.request('POST', maps, { body: { metadata: { name: `c${index}` } } });
    const other = await EtcdStore.open(
      { servers: [etcd.url], compactionIntervalMs: 150 },
      { clock: systemClock, logger, values: etcdForm },
    );
    await delay(600);
    await other.close();
    const past = await server.request('GET', `${maps}?resourceVersion=${old}&resourceVersionMatch=Exact`);
    assert.equal(past.status, 410, past.text);
    const again = await TestServer.start({ etcdServers: [etcd.url], logger });
    const watch = await WatchClient.open(again, `${maps}?watch=true&resourceVersion=${old}`);
    const [line] = await watch.first(1);
    assert.deepEqual([line?.type, line?.object.code], ['ERROR', 410]);
    await again.close();
    assert.equal((await server.request('POST', maps, { body: { metadata: { name: 'on' } } })).status, 201);
  });
});

import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { systemClock } from '@wherry/clock';
import { silentLogger } from '@wherry/telemetry';
import { TestEtcd } from '../../../test/test-etcd.ts';
import { TestServer } from '../../../test/test-server.ts';
import { WatchClient } from '../../../test/watch-client.ts';
import { startApiserver } from '../../index.ts';
import { etcdForm } from '../../objects/etcd-form.ts';
import { EtcdStore } from '../etcd/etcd-store.ts';

const inDefault = '/api/v1/namespaces/default';

describe('a server whose events and secrets are in an etcd of their own', () => {
  let [main, other]: (TestEtcd | undefined)[] = [];
  let server: TestServer;
  before(async () => {
    [main, other] = [await TestEtcd.start(), await TestEtcd.start()];
    server = await TestServer.start({
      etcdServers: [main.url],
      etcdServersOverrides: [`/events#${other.url}`, `/secrets#${other.url}`],
    });
    // The revisions of the two are far apart.
    for (let index = 0; index < 20; index += 1) await post('configmaps', { metadata: { name: `c${index}` } });
  });
  after(async () => {
    await server.close();
    await main?.close();
    await other?.close();
  });

  const post = async (plural: string, body: object) => {
    const answer = await server.request('POST', `${inDefault}/${plural}`, { body });
    assert.equal(answer.status, 201, answer.text);
    return answer.body;
  };
  const event = (name: string) => ({
    metadata: { name },
    involvedObject: { kind: 'Pod', namespace: 'default', name: 'web' },
  });
  const namesIn = async (etcd: TestEtcd | undefined, prefix: string) => {
    const parts = { clock: systemClock, logger: silentLogger, values: etcdForm };
    const store = await EtcdStore.open({ servers: [etcd!.url] }, parts);
    const { items } = await store.range({ prefix });
    await store.close();
    return items.map(({ key }) => key.slice(prefix.length));
  };

  it('keeps them there, and nothing else', async () => {
    await post('events', event('told'));
    await post('secrets', { metadata: { name: 'kept' } });
    assert.deepEqual(await namesIn(other, '/events/default/'), ['told']);
    assert.deepEqual(await namesIn(other, '/secrets/default/'), ['kept']);
    assert.deepEqual(await namesIn(other, '/configmaps/'), []);
    assert.deepEqual(await namesIn(main, '/events/'), []);
    assert.deepEqual(await namesIn(main, '/secrets/'), []);
    assert.equal((await namesIn(main, '/configmaps/default/c')).length, 20);
  });

  it('lists, pages and watches each by its own revisions', async () => {
    for (const path of [`${inDefault}/events`, '/apis/events.k8s.io/v1/namespaces/default/events']) {
      const list = await server.request('GET', path);
      const { resourceVersion } = list.body.metadata;
      const watch = await WatchClient.open(server, `${path}?watch=true&resourceVersion=${resourceVersion}`);
      const name = `seen-${path.length}`;
      const { metadata } = await post('events', event(name));
      const [line] = await watch.first(1);
      assert.deepEqual([line?.type, line?.object.metadata.name], ['ADDED', name]);
      watch.close();
      const fresh = `resourceVersion=${metadata.resourceVersion}&resourceVersionMatch=NotOlderThan`;
      const newer = await server.request('GET', `${path}?${fresh}`);
      assert.ok(
        newer.body.items.some(
          (each: { metadata: object }) => (each.metadata as { name: string }).name === name,
        ),
      );
      const exact = await server.request(
        'GET',
        `${path}?resourceVersion=${resourceVersion}&resourceVersionMatch=Exact`,
      );
      assert.equal(exact.body.items.length, list.body.items.length);
      const page = await server.request('GET', `${path}?limit=1`);
      const next = encodeURIComponent(page.body.metadata.continue);
      const rest = await server.request('GET', `${path}?continue=${next}`);
      assert.equal(rest.body.items.length, newer.body.items.length - 1);
    }
    const configMaps = await server.request('GET', `${inDefault}/configmaps`);
    const events = await server.request('GET', `${inDefault}/events`);
    const ahead = await server.request(
      'GET',
      `${inDefault}/events?resourceVersion=${configMaps.body.metadata.resourceVersion}&resourceVersionMatch=Exact`,
    );
    assert.ok(
      Number(configMaps.body.metadata.resourceVersion) > Number(events.body.metadata.resourceVersion),
    );
    assert.equal(ahead.status, 504, ahead.text);
  });

  it('counts them in quotas, which are in the main store', async () => {
    await post('resourcequotas', { metadata: { name: 'few' }, spec: { hard: { secrets: '5' } } });
    const path = `${inDefault}/resourcequotas/few`;
    const status = { hard: { secrets: '5' }, used: { secrets: '1' } };
    const patch = { type: 'application/merge-patch+json', body: { status } };
    assert.equal((await server.request('PATCH', `${path}/status`, patch)).status, 200);
    await post('secrets', { metadata: { name: 'counted' } });
    assert.equal((await server.request('GET', path)).body.status.used.secrets, '2');
    await server.request('DELETE', path);
  });

  it('tells of both etcds in its health and its figures, and goes on with the one that is there', async () => {
    const { text } = await server.request('GET', '/readyz?verbose');
    for (const name of ['etcd', 'etcd-readiness', 'etcd-override-0', 'etcd-override-readiness-0'])
      assert.match(text, new RegExp(`\\[\\+\\]${name} ok`));
    const metrics = (await server.request('GET', '/metrics')).text;
    for (const id of ['etcd-0', 'etcd-1'])
      assert.match(metrics, new RegExp(`apiserver_storage_size_bytes\\{storage_cluster_id="${id}"\\} [1-9]`));
    await other?.pause();
    for (let attempt = 0; (await server.request('GET', '/readyz')).status === 200; attempt += 1) {
      assert.ok(attempt < 100, 'readyz does not tell that the etcd of events is away');
      await delay(100);
    }
    const unwell = (await server.request('GET', '/readyz?verbose')).text;
    assert.match(unwell, /\[-\]etcd-override-0 failed/);
    assert.match(unwell, /\[\+\]etcd ok/);
    await post('configmaps', { metadata: { name: 'meanwhile' } });
    other?.goOn();
    for (let attempt = 0; (await server.request('GET', '/readyz')).status !== 200; attempt += 1) {
      assert.ok(attempt < 100, 'readyz does not tell that the etcd of events is back');
      await delay(100);
    }
    await post('events', event('afterwards'));
  });

  it('finds everything again after a restart', async () => {
    const before = await server.request('GET', '/api/v1/events');
    await server.restart();
    assert.deepEqual((await server.request('GET', '/api/v1/events')).body.items, before.body.items);
    assert.equal((await server.request('GET', `${inDefault}/secrets/counted`)).status, 200);
  });

  it('does not start with overrides that it can not follow', async () => {
    const refused: [override: string, message: RegExp][] = [
      ['events', /invalid, must be of format: group\/resource#servers.*not "events"/],
      ['/events#', /invalid, must be of format/],
      ['/events#http://a#b', /invalid, must be of format/],
      ['a/b/c#http://a', /invalid, must be of format/],
      ['/evnets#http://a:1', /"\/evnets" is no resource of this server/],
      ['apiextensions.k8s.io/customresourcedefinitions#http://a:1', /stays in --etcd-servers/],
      ['/services#http://a:1', /"\/services" stays in --etcd-servers/],
      ['/events#a:1', /"a:1" is no address of etcd/],
    ];
    for (const [override, message] of refused)
      await assert.rejects(
        startApiserver({ ...server.options, etcdServersOverrides: [override] }),
        (error: Error) => message.test(error.message),
        override,
      );
  });
});

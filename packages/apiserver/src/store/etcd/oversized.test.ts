import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { silentLogger } from '@wherry/telemetry';
import { TestEtcd } from '../../../test/test-etcd.ts';
import { TestServer } from '../../../test/test-server.ts';

const maps = '/api/v1/namespaces/default/configmaps';
const applied = `${maps}/NAME?fieldManager=test&force=true`;
/** Some 850 KB, and again as much in whose they are: together more than etcd takes. */
const data = Object.fromEntries(
  Array.from({ length: 9_999 }, (_, index) => [`${'long-key-'.repeat(8)}${index}`, 'A']),
);

describe('an object that etcd takes without its managed fields alone', { concurrency: false }, () => {
  let etcd: TestEtcd;
  let server: TestServer;
  before(async () => {
    etcd = await TestEtcd.start();
    server = await TestServer.start({ etcdServers: [etcd.url], logger: silentLogger });
  });
  after(async () => {
    await server?.close();
    await etcd?.close();
  });

  /** It is there, with all that it says, and an apply, which is about those fields, is refused as too large. */
  async function isKeptWithoutThem(name: string): Promise<void> {
    const { body } = await server.request('GET', `${maps}/${name}`);
    assert.equal(body.metadata.managedFields, undefined);
    assert.ok(Object.keys(body.data).length >= 9_999);
    const apply = await server.request('PATCH', applied.replace('NAME', name), {
      body: { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name } },
      headers: { 'content-type': 'application/apply-patch+yaml' },
    });
    assert.deepEqual([apply.status, apply.body.reason], [413, 'RequestEntityTooLarge'], apply.text);
    assert.match(apply.body.message, /etcdserver: request is too large/);
  }

  it('is created', async () => {
    const created = await server.request('POST', maps, { body: { metadata: { name: 'created' }, data } });
    assert.equal(created.status, 201, created.text.slice(0, 500));
    await isKeptWithoutThem('created');
  });

  for (const [verb, type] of [
    ['PUT', 'application/json'],
    ['PATCH', 'application/merge-patch+json'],
    ['PATCH', 'application/strategic-merge-patch+json'],
  ] as const) {
    it(`is changed by ${verb} of ${type}`, async () => {
      const name = type.replace(/.*\//, '').replace('+', '-');
      await server.request('POST', maps, { body: { metadata: { name }, data: { k: 'v' } } });
      const changed = await server.request(verb, `${maps}/${name}`, {
        body: { metadata: { name }, data },
        headers: { 'content-type': type },
      });
      assert.equal(changed.status, 200, changed.text.slice(0, 500));
      await isKeptWithoutThem(name);
    });
  }

  it('is refused where it is too large by itself', async () => {
    const containers = [{ name: 'c', image: 'i', args: ['x'.repeat(1_600_000)] }];
    const answer = await server.request('POST', '/api/v1/namespaces/default/podtemplates', {
      body: { metadata: { name: 'huge' }, template: { spec: { containers } } },
    });
    assert.deepEqual(
      [answer.status, answer.body.reason],
      [413, 'RequestEntityTooLarge'],
      answer.text.slice(0, 300),
    );
  });
});

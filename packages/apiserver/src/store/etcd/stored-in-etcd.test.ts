import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { systemClock } from '@wherry/clock';
import { encodeBody } from '@wherry/kubeapi';
import { TestEtcd } from '../../../test/test-etcd.ts';
import { TestServer } from '../../../test/test-server.ts';
import { EtcdConnection } from './etcd-connection.ts';

describe('what stands in etcd', () => {
  let etcd: TestEtcd;
  let server: TestServer;
  let connection: EtcdConnection;
  before(async () => {
    etcd = await TestEtcd.start();
    server = await TestServer.start({ etcdServers: [etcd.url] });
    connection = new EtcdConnection({ servers: [etcd.url] }, systemClock);
  });
  after(async () => {
    connection.close();
    await server.close();
    await etcd.close();
  });

  const read = async (key: string) => {
    const { kvs } = await connection.call('range', { key: Buffer.from(key) });
    return kvs[0];
  };
  const put = (key: string, value: Uint8Array) =>
    connection.call('txn', {
      ...{ compare: [], failure: [] },
      success: [{ put: { key: Buffer.from(key), value } }],
    });

  it('has upstream’s keys, and its kind and version', async () => {
    const template = { metadata: { labels: { a: 'b' } }, spec: { containers: [{ name: 'c', image: 'i' }] } };
    const deployment = {
      metadata: { name: 'web' },
      spec: { selector: { matchLabels: { a: 'b' } }, template },
    };
    const path = '/apis/apps/v1/namespaces/default/deployments';
    const made = await server.request('POST', path, { body: deployment });
    assert.equal(made.status, 201, made.text);
    const found = await read('/registry/deployments/default/web');
    const { kind, apiVersion, metadata } = JSON.parse(Buffer.from(found!.value).toString());
    assert.deepEqual([kind, apiVersion, metadata.name], ['Deployment', 'apps/v1', 'web']);
    assert.equal(made.body.metadata.resourceVersion, String(found!.modRevision));
    for (const key of [
      ...['services/specs/default/kubernetes', 'namespaces/kube-system', 'clusterroles/cluster-admin'],
      'flowschemas/exempt',
      'apiregistration.k8s.io/apiservices/v1.',
    ])
      assert.ok(await read(`/registry/${key}`), key);
  });

  it('is read as well where upstream’s server has written it, in protobuf or with its keys sorted', async () => {
    const map = {
      ...{ kind: 'ConfigMap', apiVersion: 'v1', data: { a: 'b' } },
      metadata: { name: 'theirs', namespace: 'default', uid: 'u', creationTimestamp: '2026-01-02T03:04:05Z' },
    };
    await put('/registry/configmaps/default/theirs', encodeBody(map, 'protobuf'));
    const sorted = {
      apiVersion: 'v1',
      data: { x: 'y' },
      kind: 'ConfigMap',
      metadata: { ...map.metadata, name: 'sorted' },
    };
    await put('/registry/configmaps/default/sorted', Buffer.from(JSON.stringify(sorted)));
    const path = '/api/v1/namespaces/default/configmaps';
    const theirs = await server.request('GET', `${path}/theirs`);
    assert.deepEqual(theirs.body.data, { a: 'b' });
    assert.equal(theirs.body.metadata.creationTimestamp, '2026-01-02T03:04:05Z');
    const { body } = await server.request('GET', path);
    assert.deepEqual(
      body.items.map((item: { data: object }) => item.data).filter(({ x }: { x?: string }) => x),
      [{ x: 'y' }],
    );
  });

  it('goes by itself an hour after an event, by leases that events share', async () => {
    const event = (name: string) => ({
      metadata: { name },
      ...{ involvedObject: { kind: 'Pod', namespace: 'default', name: 'p' }, reason: 'R', message: 'm' },
    });
    for (const name of ['e1', 'e2'])
      await server.request('POST', '/api/v1/namespaces/default/events', { body: event(name) });
    const ask = async (path: string, body: object) => {
      const answer = await fetch(`${etcd.url}/v3/${path}`, { method: 'POST', body: JSON.stringify(body) });
      return (await answer.json()) as { kvs: { lease: string }[]; TTL: string };
    };
    const base64 = (text: string) => Buffer.from(text).toString('base64');
    const leases = await Promise.all(
      ['e1', 'e2'].map(async (name) => {
        const { kvs } = await ask('kv/range', { key: base64(`/registry/events/default/${name}`) });
        return kvs[0]!.lease;
      }),
    );
    assert.equal(leases[0], leases[1]);
    const { TTL } = await ask('lease/timetolive', { ID: leases[0] });
    assert.ok(Number(TTL) > 3_590 && Number(TTL) <= 3_660, TTL);
  });
});

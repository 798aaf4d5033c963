import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { systemClock } from '@wherry/clock';
import { encodeBody } from '@wherry/kubeapi';
import { silentLogger } from '@wherry/telemetry';
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
    connection = new EtcdConnection({ servers: [etcd.url] }, { clock: systemClock, logger: silentLogger });
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

  it('is a definition of custom resources also where upstream’s server has written it, in the version that it stores', async () => {
    const columns = [{ name: 'Size', type: 'integer', JSONPath: '.spec.size' }];
    const openAPIV3Schema = { type: 'object', properties: { spec: { type: 'object' } } };
    const theirs = {
      ...{ kind: 'CustomResourceDefinition', apiVersion: 'apiextensions.k8s.io/v1beta1' },
      metadata: { name: 'boxes.stored.example.com', uid: 'u', creationTimestamp: '2026-01-02T03:04:05Z' },
      spec: {
        ...{ group: 'stored.example.com', version: 'v1', scope: 'Namespaced' },
        names: { plural: 'boxes', singular: 'box', kind: 'Box', listKind: 'BoxList' },
        ...{
          validation: { openAPIV3Schema },
          subresources: { status: {} },
          additionalPrinterColumns: columns,
        },
        versions: [{ name: 'v1', served: true, storage: true }],
        conversion: {
          strategy: 'Webhook',
          webhookClientConfig: { url: 'https://a.b/c' },
          conversionReviewVersions: ['v1'],
        },
        preserveUnknownFields: false,
      },
      status: { conditions: [], acceptedNames: { plural: '', kind: '' }, storedVersions: ['v1'] },
    };
    const key = '/registry/apiextensions.k8s.io/customresourcedefinitions/boxes.stored.example.com';
    await put(key, Buffer.from(JSON.stringify(theirs)));
    const path = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions/boxes.stored.example.com';
    const { status, body, text } = await server.request('GET', path);
    assert.equal(status, 200, text);
    const { group, scope, names } = theirs.spec;
    assert.deepEqual(body.spec, {
      ...{ group, scope, names },
      versions: [
        {
          ...{ name: 'v1', served: true, storage: true },
          ...{ schema: { openAPIV3Schema }, subresources: { status: {} } },
          additionalPrinterColumns: [{ name: 'Size', type: 'integer', jsonPath: '.spec.size' }],
        },
      ],
      conversion: {
        strategy: 'Webhook',
        webhook: { clientConfig: { url: 'https://a.b/c' }, conversionReviewVersions: ['v1'] },
      },
    });
  });

  it('has its defaults where upstream’s server has written it in protobuf', async () => {
    const claim = { metadata: { name: 'data' }, spec: { accessModes: ['ReadWriteOnce'] } };
    const set = {
      ...{
        kind: 'StatefulSet',
        apiVersion: 'apps/v1',
        metadata: { name: 'theirs', namespace: 'default', uid: 'u' },
      },
      spec: { selector: { matchLabels: { a: 'b' } }, serviceName: 's', volumeClaimTemplates: [claim] },
    };
    await put('/registry/statefulsets/default/theirs', encodeBody(set, 'protobuf'));
    const { body } = await server.request('GET', '/apis/apps/v1/namespaces/default/statefulsets/theirs');
    const [{ kind, apiVersion }] = body.spec.volumeClaimTemplates;
    assert.deepEqual([kind, apiVersion], ['PersistentVolumeClaim', 'v1']);
  });

  it('is an address that another server has just taken for a service: it stays a minute without it', async () => {
    const address = (name: string, creationTimestamp: string) => ({
      ...{ kind: 'IPAddress', apiVersion: 'networking.k8s.io/v1' },
      metadata: {
        name,
        creationTimestamp,
        labels: { 'ipaddress.kubernetes.io/managed-by': 'ipallocator.k8s.io' },
      },
      spec: { parentRef: { resource: 'services', namespace: 'default', name: 'coming' } },
    });
    const store = (name: string, at: Date) =>
      put(`/registry/ipaddresses/${name}`, Buffer.from(JSON.stringify(address(name, at.toISOString()))));
    await store('10.96.9.1', new Date());
    await store('10.96.9.2', new Date(Date.now() - 120_000));
    const addresses = '/apis/networking.k8s.io/v1/ipaddresses';
    const isThere = async (name: string) =>
      (await server.request('GET', `${addresses}/${name}`)).status === 200;
    while (await isThere('10.96.9.2')) await delay(20);
    assert.ok(await isThere('10.96.9.1'));
    const spec = { clusterIP: '10.96.9.1', ports: [{ port: 80 }] };
    const create = (name: string) =>
      server.request('POST', '/api/v1/namespaces/default/services', { body: { metadata: { name }, spec } });
    assert.match((await create('other')).body.message, /provided IP is already allocated/);
    assert.equal((await create('coming')).status, 201);
    await server.request('DELETE', '/api/v1/namespaces/default/services/coming');
    while (await isThere('10.96.9.1')) await delay(20);
  });

  it('is no address of a service that could not be stored', async () => {
    const names = async () => {
      const { body } = await server.request('GET', '/apis/networking.k8s.io/v1/ipaddresses');
      return body.items.map((item: { metadata: { name: string } }) => item.metadata.name);
    };
    const before = await names();
    const body = {
      metadata: { name: 'kubernetes' },
      spec: { clusterIP: '10.96.9.9', ports: [{ port: 80 }] },
    };
    const refused = await server.request('POST', '/api/v1/namespaces/default/services', { body });
    assert.equal(refused.body.reason, 'AlreadyExists');
    while ((await names()).includes('10.96.9.9')) await delay(20);
    assert.deepEqual(await names(), before);
  });

  it('is an endpoint of the service kubernetes that upstream’s server tells of without a port', async () => {
    const told = {
      kind: 'Endpoints',
      apiVersion: 'v1',
      metadata: {},
      subsets: [{ addresses: [{ ip: '192.0.2.77' }] }],
    };
    await put('/registry/masterleases/192.0.2.77', encodeBody(told, 'protobuf'));
    server.options.advertiseAddress = '192.0.2.78';
    await server.restart();
    const { body } = await server.request('GET', '/api/v1/namespaces/default/endpoints/kubernetes');
    const [{ addresses, ports }] = body.subsets;
    assert.equal(body.subsets.length, 1);
    assert.deepEqual(addresses, [{ ip: '192.0.2.77' }, { ip: '192.0.2.78' }]);
    assert.deepEqual(ports, [{ name: 'https', port: server.apiserver.port, protocol: 'TCP' }]);
  });

  it('goes by itself an hour after an event, or when a flag says, by leases that events share', async () => {
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
    server.options.eventTtlMs = 600_000;
    await server.restart();
    await server.request('POST', '/api/v1/namespaces/default/events', { body: event('e3') });
    const { kvs } = await ask('kv/range', { key: base64('/registry/events/default/e3') });
    const shorter = await ask('lease/timetolive', { ID: kvs[0]!.lease });
    assert.ok(Number(shorter.TTL) > 590 && Number(shorter.TTL) <= 660, shorter.TTL);
  });
});

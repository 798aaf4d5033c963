import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import type { ResourceQuotaStatus } from '@wherry/kubeapi';
import { TestServer } from '../../../test/test-server.ts';

describe('a quota whose use is known', () => {
  let server: TestServer;
  let namespaces = 0;
  let path: string;
  before(async () => {
    server = await TestServer.start();
  });
  after(() => server.close());
  beforeEach(async () => {
    namespaces += 1;
    path = `/api/v1/namespaces/bounded-${namespaces}`;
    const body = { metadata: { name: `bounded-${namespaces}` } };
    await server.request('POST', '/api/v1/namespaces', { body });
    await post('serviceaccounts', { metadata: { name: 'default' } });
  });

  const post = (plural: string, body: object) => server.request('POST', `${path}/${plural}`, { body });
  const patch = (name: string, body: object) =>
    server.request('PATCH', `${path}/${name}`, { type: 'application/merge-patch+json', body });
  /** Says what its controller would say. */
  const settle = (name: string, status: ResourceQuotaStatus) =>
    patch(`resourcequotas/${name}/status`, { status });
  const bound = async (name: string, hard: Record<string, string>, spec: object = {}) => {
    await post('resourcequotas', { metadata: { name }, spec: { hard, ...spec } });
    const used = Object.fromEntries(Object.keys(hard).map((key) => [key, '0']));
    await settle(name, { hard, used });
  };
  const usedOf = async (name: string) =>
    (await server.request('GET', `${path}/resourcequotas/${name}`)).body.status.used;
  const pod = (name: string, cpu?: string, more: object = {}) => ({
    metadata: { name },
    spec: {
      containers: [{ name: 'main', image: 'x', resources: cpu ? { requests: { cpu } } : {} }],
      ...more,
    },
  });

  it('is charged with the object, in the same breath, and refuses what is too much in upstream’s words', async () => {
    await bound('a', { 'requests.cpu': '1', pods: '5' });
    const made = await post('pods', pod('one', '700m'));
    assert.equal(made.status, 201, made.text);
    const { body: quota } = await server.request('GET', `${path}/resourcequotas/a`);
    assert.deepEqual(quota.status.used, { 'requests.cpu': '700m', pods: '1' });
    const versions = [quota, made.body].map(({ metadata }) => Number(metadata.resourceVersion));
    assert.equal(versions[0]! + 1, versions[1]);
    const { status, body } = await post('pods', pod('two', '500m'));
    assert.deepEqual(
      [status, body.message],
      [
        403,
        'pods "two" is forbidden: exceeded quota: a, requested: requests.cpu=500m, used: requests.cpu=700m, limited: requests.cpu=1',
      ],
    );
    assert.match(
      (await post('pods', pod('three'))).body.message,
      /failed quota: a: must specify requests\.cpu for: main$/,
    );
  });

  it('is not charged for what is not stored: a dry run, a name that is taken, a broken rule', async () => {
    await bound('a', { 'count/configmaps': '2' });
    const map = { metadata: { name: 'one' } };
    assert.equal((await post('configmaps?dryRun=All', map)).status, 201);
    assert.deepEqual(await usedOf('a'), { 'count/configmaps': '0' });
    assert.equal((await post('configmaps', map)).status, 201);
    assert.equal((await post('configmaps', map)).status, 409);
    assert.equal((await post('configmaps', { metadata: { name: 'BAD' } })).status, 422);
    assert.deepEqual(await usedOf('a'), { 'count/configmaps': '1' });
    assert.equal((await post('configmaps', { metadata: { generateName: 'b-' } })).status, 201);
    assert.equal((await post('configmaps?dryRun=All', { metadata: { name: 'three' } })).status, 403);
  });

  it('lets exactly as many in as there is room for while its status is written from elsewhere', async () => {
    await bound('a', { secrets: '8' });
    const racers = Array.from({ length: 24 }, (_, index) =>
      post('secrets', { metadata: { name: `racer-${index}` } }),
    );
    const meddlers = Array.from({ length: 12 }, (_, index) =>
      patch('resourcequotas/a', { metadata: { labels: { turn: String(index) } } }),
    );
    const answers = await Promise.all(racers);
    await Promise.all(meddlers);
    const codes = answers.map(({ status }) => status);
    assert.deepEqual([codes.filter((code) => code === 201).length, new Set(codes)], [8, new Set([201, 403])]);
    assert.deepEqual(await usedOf('a'), { secrets: '8' });
  });

  it('is charged with what an update adds, by every quota that holds the object', async () => {
    await bound('a', { 'services.nodeports': '1' });
    await bound('b', { 'services.loadbalancers': '0', services: '5' });
    const ports = [{ port: 1 }];
    assert.equal((await post('services', { metadata: { name: 's' }, spec: { ports } })).status, 201);
    assert.equal((await patch('services/s', { spec: { type: 'NodePort' } })).status, 200);
    assert.deepEqual([await usedOf('a'), (await usedOf('b')).services], [{ 'services.nodeports': '1' }, '1']);
    const { status, body } = await patch('services/s', { spec: { type: 'LoadBalancer' } });
    assert.equal(status, 403);
    assert.match(
      body.message,
      /exceeded quota: b, requested: services.loadbalancers=1, used: services.loadbalancers=0/,
    );
    assert.equal((await patch('services/s', { metadata: { labels: { a: 'b' } } })).status, 200);
  });

  it('holds only what is in its scopes', async () => {
    await bound('best', { pods: '0' }, { scopes: ['BestEffort'] });
    assert.match((await post('pods', pod('a'))).body.message, /exceeded quota: best, requested: pods=1/);
    assert.equal((await post('pods', pod('a', '1'))).status, 201);
  });

  it('is obeyed once its controller has taken it up, and refuses when nobody knows what is used', async () => {
    await post('resourcequotas', { metadata: { name: 'new' }, spec: { hard: { secrets: '0' } } });
    assert.equal((await post('secrets', { metadata: { name: 'a' } })).status, 201);
    await settle('new', { hard: { secrets: '5' } });
    const { status, body } = await post('secrets', { metadata: { name: 'b' } });
    assert.deepEqual(
      [status, body.message],
      [403, 'secrets "b" is forbidden: status unknown for quota: new, resources: secrets'],
    );
  });
});

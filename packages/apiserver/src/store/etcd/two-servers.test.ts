import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { TwoServers } from '../../../test/two-servers.ts';
import { WatchClient } from '../../../test/watch-client.ts';

const namespaces = '/api/v1/namespaces';
const inDefault = `${namespaces}/default`;

describe('two API servers on one etcd', () => {
  let servers: TwoServers;
  before(async () => {
    servers = await TwoServers.start();
  });
  after(() => servers.close());

  const configMap = (name: string, data: Record<string, string>) => ({ metadata: { name }, data });

  it('show each what the other has written, and refuse with 409 what was changed meanwhile', async () => {
    const { one, other } = servers;
    const made = await one.request('POST', `${inDefault}/configmaps`, { body: configMap('shared', {}) });
    assert.equal(made.status, 201, made.text);
    const seen = await other.request('GET', `${inDefault}/configmaps/shared`);
    assert.deepEqual(seen.body, made.body);
    const changed = { ...made.body, data: { by: 'other' } };
    assert.equal(
      (await other.request('PUT', `${inDefault}/configmaps/shared`, { body: changed })).status,
      200,
    );
    const late = { ...made.body, data: { by: 'one' } };
    assert.equal((await one.request('PUT', `${inDefault}/configmaps/shared`, { body: late })).status, 409);
  });

  it('change one object side by side, and lose none of the changes', async () => {
    const { one } = servers;
    await one.request('POST', `${inDefault}/configmaps`, { body: configMap('busy', {}) });
    const patches = Array.from({ length: 20 }, (_, index) =>
      servers.at(index).request('PATCH', `${inDefault}/configmaps/busy`, {
        ...{ type: 'application/merge-patch+json', body: { data: { [`k${index}`]: 'x' } } },
      }),
    );
    const codes = (await Promise.all(patches)).map(({ status }) => status);
    const { body } = await one.request('GET', `${inDefault}/configmaps/busy`);
    assert.equal(Object.keys(body.data).length, codes.filter((code) => code === 200).length);
    assert.ok(
      codes.every((code) => code === 200),
      `${codes}`,
    );
  });

  it('tell watches of each other’s writes, in order', async () => {
    const { one, other } = servers;
    const list = await one.request('GET', `${inDefault}/secrets`);
    const { resourceVersion } = list.body.metadata;
    const watch = await WatchClient.open(
      other,
      `${inDefault}/secrets?watch=true&resourceVersion=${resourceVersion}`,
    );
    for (let index = 0; index < 10; index += 1)
      await servers
        .at(index)
        .request('POST', `${inDefault}/secrets`, { body: { metadata: { name: `s${index}` } } });
    assert.deepEqual(
      (await watch.first(10)).map(({ object }) => object.metadata.name),
      Array.from({ length: 10 }, (_, index) => `s${index}`),
    );
    watch.close();
  });

  it('give no address and no port to two services', async () => {
    const service = (name: string) => ({
      metadata: { name },
      spec: { type: 'NodePort', ports: [{ port: 80 }] },
    });
    // Where both chose the same at once, the later one is told to try again, as clients of upstream's do.
    const make = async (index: number) => {
      const body = service(`svc-${index}`);
      for (;;) {
        const answer = await servers.at(index).request('POST', `${inDefault}/services`, { body });
        if (answer.body.reason !== 'ServerTimeout') return answer;
        assert.equal(answer.headers['retry-after'], '1');
      }
    };
    const made = await Promise.all(Array.from({ length: 40 }, (_, index) => make(index)));
    for (const { status, text } of made) assert.equal(status, 201, text);
    const addresses = made.map(({ body }) => body.spec.clusterIP);
    const ports = made.map(({ body }) => body.spec.ports[0].nodePort);
    assert.deepEqual([new Set(addresses).size, new Set(ports).size], [40, 40]);
  });

  it('give an address, and a port, that several want to one of them', async () => {
    // Of those that nobody is given who names none.
    const clusterIP = '10.96.0.77';
    const tries = Array.from({ length: 12 }, (_, index) =>
      servers.at(index).request('POST', `${inDefault}/services`, {
        body: {
          metadata: { name: `want-${index}` },
          spec: { type: 'NodePort', clusterIP, ports: [{ port: 80, nodePort: 30_011 }] },
        },
      }),
    );
    const codes = (await Promise.all(tries)).map(({ status }) => status);
    assert.equal(codes.filter((code) => code === 201).length, 1, `${codes}`);
    const { body } = await servers.one.request('GET', `${inDefault}/services`);
    const holders = body.items.filter(
      (item: { spec: { clusterIP: string } }) => item.spec.clusterIP === clusterIP,
    );
    assert.equal(holders.length, 1);
  });

  it('hold a namespace to its quota together, and count what it has', async () => {
    const { one } = servers;
    await one.request('POST', namespaces, { body: { metadata: { name: 'small' } } });
    const path = `${namespaces}/small`;
    const hard = { 'count/configmaps': '10' };
    await one.request('POST', `${path}/resourcequotas`, {
      body: { metadata: { name: 'q' }, spec: { hard } },
    });
    // As the quota's controller would.
    const status = { hard, used: { 'count/configmaps': '0' } };
    const known = await one.request('PATCH', `${path}/resourcequotas/q/status`, {
      ...{ type: 'application/merge-patch+json', body: { status } },
    });
    assert.equal(known.status, 200, known.text);
    await delay(100);
    const made = await Promise.all(
      Array.from({ length: 30 }, (_, index) =>
        servers.at(index).request('POST', `${path}/configmaps`, { body: configMap(`c${index}`, {}) }),
      ),
    );
    const codes = made.map(({ status: code }) => code);
    assert.equal(codes.filter((code) => code === 201).length, 10, `${codes}`);
    const { body } = await one.request('GET', `${path}/resourcequotas/q`);
    assert.equal(body.status.used['count/configmaps'], '10');
  });

  it('serve a definition that the other was given, and give a kind’s names to one of two that want them', async () => {
    const definition = (plural: string) => ({
      apiVersion: 'apiextensions.k8s.io/v1',
      kind: 'CustomResourceDefinition',
      metadata: { name: `${plural}.example.com` },
      spec: {
        group: 'example.com',
        scope: 'Namespaced',
        names: { plural, kind: 'Widget', singular: 'widget', listKind: 'WidgetList' },
        versions: [
          {
            ...{ name: 'v1', served: true, storage: true },
            schema: { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } },
          },
        ],
      },
    });
    const path = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
    const plurals = ['widgets', 'gadgets'];
    await Promise.all(
      plurals.map((plural, index) => servers.at(index).request('POST', path, { body: definition(plural) })),
    );
    const conditionOf = async (plural: string, type: string) => {
      const { body } = await servers.one.request('GET', `${path}/${plural}.example.com`);
      return body.status?.conditions?.find((each: { type: string }) => each.type === type)?.status;
    };
    const accepted = async () => Promise.all(plurals.map((plural) => conditionOf(plural, 'NamesAccepted')));
    for (let attempt = 0; (await accepted()).includes(undefined); attempt += 1) {
      assert.ok(attempt < 200, 'nobody has looked at the names');
      await delay(25);
    }
    await delay(300);
    assert.deepEqual((await accepted()).sort(), ['False', 'True']);
    const winner = plurals[(await accepted()).indexOf('True')]!;
    const objects = `/apis/example.com/v1/namespaces/default/${winner}`;
    const body = { apiVersion: 'example.com/v1', kind: 'Widget', metadata: { name: 'w' }, data: { a: 1 } };
    const made = await servers.one.request('POST', objects, { body });
    assert.equal(made.status, 201, made.text);
    const read = await servers.other.request('GET', `${objects}/w`);
    assert.deepEqual(read.body, made.body);
  });

  it('know each other’s rights at once', async () => {
    const { one, other } = servers;
    const user = await one.authority.issue({ name: 'ada' });
    const grant = {
      metadata: { name: 'ada' },
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'view' },
      subjects: [{ apiGroup: 'rbac.authorization.k8s.io', kind: 'User', name: 'ada' }],
    };
    assert.equal((await one.request('GET', `${inDefault}/configmaps`, { as: user })).status, 403);
    await other.request('POST', '/apis/rbac.authorization.k8s.io/v1/clusterrolebindings', { body: grant });
    for (let attempt = 0; ; attempt += 1) {
      const { status } = await one.request('GET', `${inDefault}/configmaps`, { as: user });
      if (status === 200) return;
      assert.ok(attempt < 40, 'the right did not come');
      await delay(25);
    }
  });

  it('let one holder at a time have a lease', async () => {
    const leases = '/apis/coordination.k8s.io/v1/namespaces/kube-system/leases';
    const made = await servers.one.request('POST', leases, {
      body: { metadata: { name: 'leader' }, spec: {} },
    });
    const claims = ['a', 'b', 'c', 'd'].map((holderIdentity, index) =>
      servers
        .at(index)
        .request('PUT', `${leases}/leader`, { body: { ...made.body, spec: { holderIdentity } } }),
    );
    const codes = (await Promise.all(claims)).map(({ status }) => status);
    assert.deepEqual(codes.sort(), [200, 409, 409, 409]);
  });
});

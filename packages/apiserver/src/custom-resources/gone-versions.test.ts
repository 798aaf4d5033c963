import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { TestServer } from '../../test/test-server.ts';

const definitions = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
const gauges = (version: string) => `/apis/example.com/${version}/gauges`;
const gauge = (version: string, name: string, spec: object) => ({
  ...{ apiVersion: `example.com/${version}`, kind: 'Gauge', metadata: { name }, spec },
});
const merge = 'application/merge-patch+json';
const apply = 'application/apply-patch+yaml';

const definition = (...versions: string[]) => ({
  ...{ apiVersion: 'apiextensions.k8s.io/v1', kind: 'CustomResourceDefinition' },
  metadata: { name: 'gauges.example.com' },
  spec: {
    ...{ group: 'example.com', scope: 'Cluster', names: { plural: 'gauges', kind: 'Gauge' } },
    versions: versions.map((name) => ({
      ...{ name, served: true, storage: name === 'v2', subresources: { status: {} } },
      schema: { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } },
    })),
  },
});

describe('custom resources whose managers have written in a version that their definition has no longer', () => {
  let server: TestServer;
  before(async () => {
    server = await TestServer.start();
    await server.request('POST', definitions, { body: definition('v1', 'v2') });
    await until(async () => (await server.request('GET', gauges('v1'))).status === 200);
    for (const name of ['applied', 'patched', 'put', 'cured', 'measured', 'deleted'])
      await send('v1', name, 'ann', gauge('v1', name, { a: 1 }), apply);
    const { body } = await server.request('GET', `${definitions}/gauges.example.com`);
    const { spec } = definition('v2');
    await server.request('PUT', `${definitions}/gauges.example.com`, { body: { ...body, spec } });
    await until(async () => (await server.request('GET', gauges('v1'))).status === 404);
  });
  after(() => server.close());

  const until = async (holds: () => Promise<boolean>) => {
    for (let attempt = 0; attempt < 400; attempt += 1) {
      if (await holds()) return;
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
    assert.fail('it never came to be');
  };
  const send = (version: string, path: string, manager: string, body: object, type: string) =>
    server.request('PATCH', `${gauges(version)}/${path}?fieldManager=${manager}`, { body, type });
  const managersOf = ({ body }: { body: { metadata: { managedFields?: object[] } } }) =>
    body.metadata.managedFields?.map((entry) => Object.values(entry).slice(0, 3).join(' '));

  it('are refused to whoever applies, be it the same again', async () => {
    for (const [path, manager, config] of [
      ['applied', 'ann', { spec: { a: 1 } }],
      ['applied', 'bob', { spec: { b: 1 } }],
      ['applied/status', 'bob', { status: { b: 1 } }],
    ] as const) {
      const body = { ...gauge('v2', 'applied', {}), ...config };
      const answer = await send('v2', path, manager, body, apply);
      assert.deepEqual([answer.status, answer.body.reason], [500, undefined]);
      assert.equal(answer.body.message, 'request to convert CR to an invalid group/version: example.com/v1');
    }
  });

  it('lose their managers with any other write, after which everything goes on', async () => {
    assert.equal(managersOf(await send('v2', 'patched', 'bob', {}, merge)), undefined);
    assert.equal(managersOf(await send('v2', 'measured/status', 'bob', { status: {} }, merge)), undefined);
    const { body } = await server.request('GET', `${gauges('v2')}/put`);
    assert.equal(managersOf(await server.request('PUT', `${gauges('v2')}/put`, { body })), undefined);
    const applied = await send('v2', 'patched', 'bob', gauge('v2', 'patched', { b: 1 }), apply);
    assert.deepEqual(managersOf(applied), [
      ...['bob Apply example.com/v2', 'before-first-apply Update example.com/v2'],
    ]);
  });

  it('keep managers that are told anew, in versions that there are', async () => {
    const { body } = await server.request('GET', `${gauges('v2')}/cured`);
    body.metadata.managedFields[0].apiVersion = 'example.com/v2';
    const cured = await server.request('PUT', `${gauges('v2')}/cured`, { body });
    assert.deepEqual(managersOf(cured), ['ann Apply example.com/v2']);
    body.metadata.resourceVersion = cured.body.metadata.resourceVersion;
    body.metadata.managedFields[0].apiVersion = 'v2';
    assert.equal(managersOf(await server.request('PUT', `${gauges('v2')}/cured`, { body })), undefined);
  });

  it('can be deleted', async () => {
    assert.equal((await server.request('DELETE', `${gauges('v2')}/deleted`)).status, 200);
  });
});

import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { startApiserver } from '@wherry/apiserver';
import { FakeClock, systemClock } from '@wherry/clock';
import type { FlowSchema } from '@wherry/kubeapi';
import { MetricsRegistry } from '@wherry/telemetry';
import { TestServer } from '../../test/test-server.ts';
import { periods } from '../limits.ts';

const schemas = '/apis/flowcontrol.apiserver.k8s.io/v1/flowschemas';
const levels = '/apis/flowcontrol.apiserver.k8s.io/v1/prioritylevelconfigurations';
const autoUpdate = 'apf.kubernetes.io/autoupdate-spec';

describe('the objects of flow control', () => {
  let server: TestServer;
  const metrics = new MetricsRegistry();
  before(async () => {
    server = await TestServer.start({ metrics });
  });
  after(() => server?.close());

  const get = async (path: string) => (await server.request('GET', path)).body;
  const merge = (path: string, body: object) =>
    server.request('PATCH', path, { body, type: 'application/merge-patch+json' });
  async function until(isSo: () => Promise<boolean>): Promise<void> {
    while (!(await isSo())) await new Promise((resolve) => setTimeout(resolve, 10));
  }
  async function conditionOf(name: string): Promise<string | undefined> {
    const { status } = (await get(`${schemas}/${name}`)) as FlowSchema;
    return status?.conditions?.find(({ type }) => type === 'Dangling')?.status;
  }
  async function restart(): Promise<void> {
    await server.apiserver.close();
    server.apiserver = await startApiserver({ ...server.options, metrics: new MetricsRegistry() });
  }

  it('are there from the start, and printed', async () => {
    const { items } = await get(schemas);
    assert.equal(items.length, 11);
    const table = await server.request('GET', schemas, {
      accept: 'application/json;as=Table;v=v1;g=meta.k8s.io',
    });
    const row = table.body.rows.find(({ cells }: { cells: string[] }) => cells[0] === 'service-accounts');
    assert.deepEqual(row.cells.slice(0, 4), ['service-accounts', 'workload-low', 9000, 'ByUser']);
    const names = (await get(levels)).items.map(({ metadata }: FlowSchema) => metadata.name);
    assert.deepEqual(names.sort(), [
      ...['catch-all', 'exempt', 'global-default', 'leader-election', 'node-high', 'system', 'workload-high'],
      'workload-low',
    ]);
    await until(async () => (await conditionOf('probes')) === 'False');
  });

  it('judge requests, and answers say which did', async () => {
    const me = await server.authority.issue({ name: 'me' });
    const headersOf = async () => {
      const { headers } = await server.request('GET', '/version', { as: me });
      return [headers['x-kubernetes-pf-flowschema-uid'], headers['x-kubernetes-pf-prioritylevel-uid']];
    };
    const uidOf = async (path: string) => (await get(path)).metadata.uid;
    const usual = [await uidOf(`${schemas}/global-default`), await uidOf(`${levels}/global-default`)];
    assert.deepEqual(await headersOf(), usual);
    const rules = [
      {
        subjects: [{ kind: 'User', user: { name: 'me' } }],
        nonResourceRules: [{ verbs: ['*'], nonResourceURLs: ['*'] }],
      },
    ];
    const spec = { matchingPrecedence: 1000, priorityLevelConfiguration: { name: 'mine' }, rules };
    const made = await server.request('POST', schemas, { body: { metadata: { name: 'mine' }, spec } });
    assert.equal(made.status, 201, made.text);
    await until(async () => (await conditionOf('mine')) === 'True');
    assert.deepEqual(await headersOf(), usual);
    const limited = { nominalConcurrencyShares: 1, limitResponse: { type: 'Reject' } };
    const level = await server.request('POST', levels, {
      body: { metadata: { name: 'mine' }, spec: { type: 'Limited', limited } },
    });
    assert.equal(level.status, 201, level.text);
    assert.deepEqual(await headersOf(), [made.body.metadata.uid, level.body.metadata.uid]);
    await until(async () => (await conditionOf('mine')) === 'False');
    assert.match(metrics.render(), /apiserver_flowcontrol_nominal_limit_seats\{priority_level="mine"\} 3\n/);
    await server.request('DELETE', `${levels}/mine`);
    assert.deepEqual(await headersOf(), usual);
    await until(async () => (await conditionOf('mine')) === 'True');
    await server.request('DELETE', `${schemas}/mine`);
  });

  it('that every server needs stay as they are', async () => {
    const shares = await merge(`${levels}/catch-all`, {
      spec: { limited: { nominalConcurrencyShares: 50 } },
    });
    assert.equal(shares.status, 422);
    assert.match(shares.body.message, /spec of 'catch-all' must equal the fixed value/);
    const exempt = await merge(`${levels}/exempt`, { spec: { exempt: { nominalConcurrencyShares: 5 } } });
    assert.equal(exempt.status, 200, exempt.text);
    const first = await merge(`${schemas}/probes`, { spec: { matchingPrecedence: 1 } });
    assert.match(first.body.message, /only the schema named 'exempt' may have matchingPrecedence 1/);
  });

  it('that somebody has changed are brought back, but for those whose annotation says no', async () => {
    await merge(`${schemas}/probes`, { spec: { matchingPrecedence: 3 } });
    await merge(`${schemas}/system-nodes`, {
      metadata: { annotations: { [autoUpdate]: 'false' } },
      spec: { matchingPrecedence: 501 },
    });
    await server.request('DELETE', `${levels}/system`);
    const old = { metadata: { name: 'of-earlier-times', annotations: { [autoUpdate]: 'true' } } };
    const spec = { type: 'Limited', limited: { limitResponse: { type: 'Reject' } } };
    assert.equal((await server.request('POST', levels, { body: { ...old, spec } })).status, 201);
    await restart();
    const { metadata, spec: probes } = await get(`${schemas}/probes`);
    assert.deepEqual([probes.matchingPrecedence, metadata.generation], [2, 3]);
    assert.equal((await get(`${schemas}/system-nodes`)).spec.matchingPrecedence, 501);
    assert.equal((await get(`${levels}/system`)).spec.limited.nominalConcurrencyShares, 30);
    assert.equal((await get(`${levels}/exempt`)).spec.exempt.nominalConcurrencyShares, 5);
    assert.equal((await server.request('GET', `${levels}/of-earlier-times`)).status, 404);
  });

  it('are written once: a later start finds them', async () => {
    const versionOf = async () =>
      (await get(schemas)).items.map(({ metadata }: FlowSchema) => metadata.resourceVersion);
    await until(async () => (await conditionOf('system-nodes')) === 'False');
    const known = await versionOf();
    await restart();
    assert.deepEqual(await versionOf(), known);
  });
});

it('an object of flow control that is deleted comes back within a minute', async (test) => {
  const fake = new FakeClock();
  const clock = {
    ...systemClock,
    after: (delayMs: number, call: () => void) =>
      (delayMs === periods.flowObjectsMs ? fake : systemClock).after(delayMs, call),
  };
  const server = await TestServer.start({ clock });
  test.after(() => server.close());
  await server.request('DELETE', `${schemas}/probes`);
  assert.equal((await server.request('GET', `${schemas}/probes`)).status, 404);
  fake.advance(periods.flowObjectsMs);
  while ((await server.request('GET', `${schemas}/probes`)).status !== 200)
    await new Promise((resolve) => setTimeout(resolve, 10));
});

it('a server that does not serve the objects goes by those that are built in', async (test) => {
  const server = await TestServer.start({
    runtimeConfig: { 'flowcontrol.apiserver.k8s.io/v1': false },
  });
  test.after(() => server.close());
  const me = await server.authority.issue({ name: 'me' });
  const { status, headers } = await server.request('GET', '/version', { as: me });
  assert.deepEqual([status, headers['x-kubernetes-pf-flowschema-uid']], [200, undefined]);
});

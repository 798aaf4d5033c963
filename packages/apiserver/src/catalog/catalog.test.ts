import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { systemClock } from '@wherry/clock';
import { findResource, type ResourceFacts } from '@wherry/kubeapi';
import { createLogger, MetricsRegistry } from '@wherry/telemetry';
import { signingKey, writeFiles } from '../../test/pki.ts';
import { TestCollection } from '../../test/test-collection.ts';
import { type Assembled, assemble } from '../assemble.ts';
import { ClientAuthorities } from '../authentication/client-authorities.ts';
import type { Handler } from '../registry/handler.ts';
import { sendObject } from '../responses/responder.ts';
import { SqliteStore } from '../store/sqlite-store.ts';
import { Catalog, type CatalogEntry } from './catalog.ts';

const widgets: ResourceFacts = {
  ...{ group: 'example.test', version: 'v1', kind: 'Widget', plural: 'widgets', singular: 'widget' },
  ...{ namespaced: false, verbs: ['get', 'list'] },
};
const listed: Handler = {
  verbs: ['get', 'list'],
  async serve({ media }, wire) {
    const list = { kind: 'WidgetList', apiVersion: 'example.test/v1', metadata: {}, items: [] };
    sendObject(list, { response: wire.response(), media, code: 200, nowMs: 0 });
  },
};

describe('a catalog that grows while it is served', () => {
  const folder = mkdtempSync(join(tmpdir(), 'wherry-catalog-'));
  const store = new SqliteStore({ path: ':memory:' });
  let parts: Assembled;
  const server = createServer((request, response) => parts.api.handleRequest(request, response));
  const get = async (path: string, method = 'GET', body?: object) => {
    const { port } = server.address() as AddressInfo;
    const headers = { 'content-type': 'application/json', connection: 'close' };
    const init = { method, headers, ...(body ? { body: JSON.stringify(body) } : {}) };
    const answer = await fetch(`http://127.0.0.1:${port}${path}`, init);
    return { status: answer.status, text: await answer.text() };
  };
  const entryOf = (facts: ResourceFacts, handlers: CatalogEntry['handlers'] = {}): CatalogEntry => ({
    collection: new TestCollection(facts.plural, { facts, store }).collection,
    handlers,
  });

  before(async () => {
    const files = writeFiles(folder, { 'service-account.key': signingKey() });
    const none = '/nonexistent';
    parts = assemble({
      ...{ dataDir: folder, tlsCertFile: none, tlsPrivateKeyFile: none, clientCaFile: none },
      ...{ store, clock: systemClock, logger: createLogger('apiserver', { level: 'error' }) },
      ...{ serviceRange: '10.96.0.0/16', healthChecks: () => [], port: () => 6443 },
      ...{ metrics: new MetricsRegistry(), anonymous: { enabled: true, paths: [] } },
      authorities: new ClientAuthorities(),
      authorizationMode: ['AlwaysAllow'],
      serviceAccountSigningKeyFile: files['service-account.key'],
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  });
  after(async () => {
    server.close();
    parts.kubelets.close();
    await store.close();
    rmSync(folder, { recursive: true });
  });

  const places: [path: string, says: RegExp][] = [
    ['/apis/example.test/v1/widgets', /"kind":"WidgetList"/],
    ['/apis', /"name":"example.test"/],
    ['/apis/example.test', /"groupVersion":"example.test\/v1"/],
    ['/apis/example.test/v1', /"name":"widgets"/],
    ['/openapi/v3', /apis\/example.test\/v1/],
    ['/openapi/v3/apis/example.test/v1', /"\/apis\/example.test\/v1\/widgets\/\{name\}"/],
    ['/openapi/v2', /"\/apis\/example.test\/v1\/widgets"/],
    ['/', /"\/apis\/example.test"/],
  ];

  it('makes an entry known to router, discovery and OpenAPI, and forgets it', async () => {
    const tells = async () => {
      const answers = places.map(async ([path, says]) => {
        const { status, text } = await get(path);
        return status === 200 && says.test(text);
      });
      return Promise.all(answers);
    };
    const { catalog } = parts;
    const nowhere = places.map(() => false);
    assert.deepEqual(await tells(), nowhere);
    catalog.add(entryOf(widgets, { '': listed }));
    assert.deepEqual(
      await tells(),
      places.map(() => true),
    );
    assert.equal(catalog.remove('example.test', 'v1', 'widgets'), true);
    assert.deepEqual(await tells(), nowhere);
    assert.equal(catalog.remove('example.test', 'v1', 'widgets'), false);
  });

  it('stores and serves the objects of an entry that is stored', async () => {
    const path = '/apis/storage.k8s.io/v1/storageclasses';
    const object = { metadata: { name: 'fast' }, provisioner: 'example.test/disk' };
    parts.catalog.remove('storage.k8s.io', 'v1', 'storageclasses');
    assert.equal((await get(path, 'POST', object)).status, 404);
    parts.catalog.add(entryOf(findResource('storage.k8s.io', 'v1', 'storageclasses')!));
    assert.equal((await get(path, 'POST', object)).status, 201);
    assert.match((await get(`${path}/fast`)).text, /"provisioner":"example.test\/disk"/);
  });

  it('counts and tells its changes, and refuses a second entry at one path', () => {
    const catalog = new Catalog();
    let calls = 0;
    const stop = catalog.onChange(() => {
      calls += 1;
    });
    catalog.add(entryOf(widgets, { '': listed }));
    assert.throws(
      () => catalog.add(entryOf(widgets, { '': listed })),
      /has example.test\/v1\/widgets already/,
    );
    assert.deepEqual([catalog.generation, calls], [1, 1]);
    stop();
    catalog.remove('example.test', 'v1', 'widgets');
    assert.deepEqual([catalog.generation, calls, catalog.entries()], [2, 1, []]);
  });

  it('takes nothing in that nothing answers', () => {
    const refused = (facts: ResourceFacts, handlers: CatalogEntry['handlers'], message: RegExp) =>
      assert.throws(() => new Catalog([entryOf(facts, handlers)]), message);
    const deployments = findResource('apps', 'v1', 'deployments')!;
    refused(deployments, {}, /nothing answers: apps\/v1\/deployments\/scale$/);
    const reviews = findResource('authentication.k8s.io', 'v1', 'tokenreviews')!;
    refused(reviews, {}, /nothing answers: authentication.k8s.io\/v1\/tokenreviews$/);
    const more: ResourceFacts = { ...widgets, verbs: ['get', 'list', 'watch'] };
    refused(more, { '': listed }, /nothing answers: watch of example.test\/v1\/widgets$/);
  });

  it('takes nothing in whose requests would be authorized as something else', () => {
    const { group, version, kind } = widgets;
    const inside = [{ name: 'inside', group, version, kind, verbs: ['get' as const] }];
    const namespaces = { ...findResource('', 'v1', 'namespaces')!, subresources: inside };
    const handlers = { inside: { ...listed, verbs: ['get' as const] } };
    assert.throws(
      () => new Catalog([entryOf(namespaces, handlers)]),
      /without authorization attributes of their own: get of \/v1\/namespaces\/inside$/,
    );
  });
});

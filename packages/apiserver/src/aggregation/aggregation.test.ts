import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { connect } from 'node:tls';
import type { APIService } from '@wherry/kubeapi';
import { startFrontProxy } from '../../test/front-proxy.ts';
import type { Credentials, TestAuthority } from '../../test/pki.ts';
import { TestExtension } from '../../test/test-extension.ts';
import type { TestServer } from '../../test/test-server.ts';
import { WatchClient } from '../../test/watch-client.ts';

const services = '/apis/apiregistration.k8s.io/v1/apiservices';
const name = 'v1.ext.example.com';
const things = '/apis/ext.example.com/v1/namespaces/default/things';
const slices = '/apis/discovery.k8s.io/v1/namespaces/default/endpointslices';

let folder: string;
let server: TestServer;
let extension: TestExtension;
let frontProxy: TestAuthority;
let tenant: Credentials;
before(async () => {
  folder = mkdtempSync(join(tmpdir(), 'wherry-aggregation-'));
  ({ server, frontProxy } = await startFrontProxy(folder));
  const serving = await server.authority.issue({ name: 'extension', hosts: ['extension.default.svc'] });
  extension = await TestExtension.start(serving, frontProxy.cert);
  tenant = await server.authority.issue({ name: 'tenant', groups: ['people', 'more people'] });
  const ports = [{ name: 'https', port: 443 }];
  const service = { metadata: { name: 'extension' }, spec: { ports } };
  await server.request('POST', '/api/v1/namespaces/default/services', { body: service });
  await addEndpoint();
});
after(async () => {
  extension?.close();
  await server?.close();
  rmSync(folder, { recursive: true });
});

async function addEndpoint(): Promise<void> {
  const slice = {
    metadata: { name: 'extension-1', labels: { 'kubernetes.io/service-name': 'extension' } },
    ...{ addressType: 'IPv4', endpoints: [{ addresses: [extension.address] }] },
    ports: [{ name: 'https', port: extension.port }],
  };
  assert.equal((await server.request('POST', slices, { body: slice })).status, 201);
}

const specOf = (more: object = {}) => ({
  ...{ group: 'ext.example.com', version: 'v1', groupPriorityMinimum: 1000, versionPriority: 15 },
  service: { namespace: 'default', name: 'extension' },
  caBundle: Buffer.from(server.authority.cert).toString('base64'),
  ...more,
});

async function register(spec: object = specOf()): Promise<void> {
  const { status, text } = await server.request('POST', services, { body: { metadata: { name }, spec } });
  assert.equal(status, 201, text);
}

const unregister = () => server.request('DELETE', `${services}/${name}`);

async function available(of = name): Promise<{ status?: string; reason?: string; message?: string }> {
  const { body } = await server.request('GET', `${services}/${of}`);
  return (body as APIService).status?.conditions?.find(({ type }) => type === 'Available') ?? {};
}

async function until(isSo: () => Promise<boolean>): Promise<void> {
  while (!(await isSo())) await new Promise((resolve) => setTimeout(resolve, 10));
}

const isPassed = async () => (await available()).reason === 'Passed';

describe('what this server serves', { timeout: 60_000 }, () => {
  it('has an APIService for each version of a group, available from the start', async () => {
    const { body } = await server.request('GET', services);
    const items: APIService[] = body.items;
    const names = items.map(({ metadata }) => metadata.name);
    for (const each of ['v1.', 'v1.apps', 'v2.autoscaling', 'v1beta1.metrics.k8s.io'])
      assert.ok(names.includes(each), names.join());
    for (const { status, spec } of items) {
      assert.equal(spec.service, undefined);
      assert.deepEqual(
        status?.conditions?.map(({ reason }) => reason),
        ['Local'],
      );
    }
    const { stdout } = await server.kubectl(['get', 'apiservices', 'v1.apps']);
    assert.match(stdout, /^NAME +SERVICE +AVAILABLE +AGE\nv1\.apps +Local +True +/);
  });

  it('gets back an APIService that is taken away, or changed', async () => {
    await server.request('DELETE', `${services}/v1.apps`);
    const spec = { groupPriorityMinimum: 5 };
    const merge = 'application/merge-patch+json';
    await server.request('PATCH', `${services}/v1.batch`, { body: { spec }, type: merge });
    const priorityOf = async (of: string) =>
      (await server.request('GET', `${services}/${of}`)).body.spec?.groupPriorityMinimum;
    await until(
      async () => (await priorityOf('v1.apps')) === 17_800 && (await priorityOf('v1.batch')) === 17_400,
    );
  });

  it('has one for custom resources as long as they are there', async () => {
    const schema = { openAPIV3Schema: { type: 'object' } };
    const definition = {
      metadata: { name: 'boats.sea.example.com' },
      spec: {
        ...{ group: 'sea.example.com', scope: 'Namespaced', names: { plural: 'boats', kind: 'Boat' } },
        versions: [{ name: 'v1', served: true, storage: true, schema }],
      },
    };
    const definitions = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
    assert.equal((await server.request('POST', definitions, { body: definition })).status, 201);
    const statusOf = async () => (await server.request('GET', `${services}/v1.sea.example.com`)).status;
    await until(async () => (await statusOf()) === 200);
    await server.request('DELETE', `${definitions}/boats.sea.example.com`);
    await until(async () => (await statusOf()) === 404);
  });

  it('tells extension servers whom to believe', async () => {
    const path = '/api/v1/namespaces/kube-system/configmaps/extension-apiserver-authentication';
    const { data } = (await server.request('GET', path)).body;
    assert.equal(data['requestheader-client-ca-file'].trim(), frontProxy.cert.trim());
    assert.equal(data['client-ca-file'].trim(), server.authority.cert.trim());
    assert.equal(data['requestheader-allowed-names'], '["front-proxy-client"]');
    assert.equal(data['requestheader-username-headers'], '["X-Remote-User"]');
  });

  it('is not led elsewhere where everything depends on it', async () => {
    const spec = { ...specOf(), group: 'apiregistration.k8s.io', version: 'v1' };
    const body = { metadata: { name: 'v1.apiregistration.k8s.io' }, spec };
    assert.equal((await server.request('POST', services, { body })).status, 201);
    await until(async () => (await available('v1.apiregistration.k8s.io')).reason === 'NotAggregated');
    await server.request('DELETE', `${services}/v1.apiregistration.k8s.io`);
  });
});

describe('a group of an extension server', { timeout: 60_000 }, () => {
  before(async () => {
    await register();
    await until(isPassed);
    const rules = [
      { apiGroups: ['ext.example.com'], resources: ['things'], verbs: ['get', 'list', 'watch'] },
    ];
    const rbac = '/apis/rbac.authorization.k8s.io/v1';
    await server.request('POST', `${rbac}/clusterroles`, { body: { metadata: { name: 'things' }, rules } });
    const roleRef = { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'things' };
    const subjects = [{ apiGroup: 'rbac.authorization.k8s.io', kind: 'User', name: 'tenant' }];
    const binding = { metadata: { name: 'things' }, roleRef, subjects };
    await server.request('POST', `${rbac}/clusterrolebindings`, { body: binding });
  });
  after(unregister);

  it('is told of like any other', async () => {
    const { body } = await server.request('GET', '/apis');
    const group = body.groups.find((each: { name: string }) => each.name === 'ext.example.com');
    assert.equal(group.preferredVersion.groupVersion, 'ext.example.com/v1');
    assert.equal((await server.request('GET', '/apis/ext.example.com')).body.versions.length, 1);
    assert.equal((await server.request('GET', '/apis/ext.example.com/v1')).body.resources.length, 2);
    const accept = 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList';
    const { items } = (await server.request('GET', '/apis', { accept })).body;
    const told = items.find(
      ({ metadata }: { metadata: { name: string } }) => metadata.name === 'ext.example.com',
    );
    const [version] = told.versions;
    assert.deepEqual([version.freshness, version.resources[0].resource], ['Current', 'things']);
    assert.deepEqual(version.resources[0].subresources[0].responseKind, {
      ...{ group: 'ext.example.com', version: 'v1', kind: 'Thing' },
    });
    const { paths } = (await server.request('GET', '/openapi/v3')).body;
    const { serverRelativeURL } = paths['apis/ext.example.com/v1'];
    assert.equal((await server.request('GET', serverRelativeURL)).body.info.title, 'theirs');
    assert.doesNotMatch(paths['apis/apps/v1'].serverRelativeURL, /FALSE/);
  });

  it('is asked as the front proxy, for whom this server has found out to ask', async () => {
    const headers = { 'X-Remote-User': 'admin', 'X-Remote-Group': 'system:masters', 'X-Remote-Extra-A': 'b' };
    const { body } = await server.request('GET', `${things}/a?x=1`, { as: tenant, headers });
    const { seen } = body;
    assert.deepEqual([seen.method, seen.url, seen.proxy], ['GET', `${things}/a?x=1`, 'front-proxy-client']);
    assert.equal(seen.headers['x-remote-user'], 'tenant');
    assert.equal(seen.headers['x-remote-group'], 'people, more people, system:authenticated');
    assert.equal(seen.headers['x-remote-extra-a'], undefined);
    assert.equal(seen.headers['host'], 'extension.default.svc:443');
  });

  it('gets what is written to it, and no token', async () => {
    const made = await server.request('POST', things, { body: { spec: { a: 'ä' } } });
    assert.deepEqual(JSON.parse(made.body.seen.body), { spec: { a: 'ä' } });
    const account = '/api/v1/namespaces/default/serviceaccounts/default/token';
    const { body: review } = await server.request('POST', account, { body: { spec: {} } });
    await server.request('GET', `${things}/a`, { as: null, token: review.status.token });
    assert.equal(
      extension.seen.some(({ headers }) => headers.authorization !== undefined),
      false,
    );
  });

  it('is not asked what its user may not', async () => {
    const before = extension.seen.length;
    const { status } = await server.request('POST', things, { as: tenant, body: {} });
    assert.deepEqual([status, extension.seen.length], [403, before]);
    assert.equal((await server.request('GET', things, { as: null })).status, 403);
    assert.equal(extension.seen.length, before);
  });

  it('is not asked for another place than the one that was allowed', async () => {
    const before = extension.seen.length;
    const { cert, key } = server.admin;
    const { port } = server.apiserver;
    for (const step of ['..', '%2e%2e', '.', 'a%2F..%2Fb', '%5c..']) {
      const socket = connect({ port, host: '127.0.0.1', ca: server.authority.cert, cert, key });
      const path = `/apis/ext.example.com/v1/namespaces/default/${step}/other/things`;
      socket.write(`GET ${path} HTTP/1.1\r\nhost: a\r\nconnection: close\r\n\r\n`);
      let text = '';
      socket.on('data', (chunk: Buffer) => (text += chunk));
      await once(socket, 'close');
      assert.match(text, /^HTTP\/1\.1 400 /, step);
    }
    assert.equal(extension.seen.length, before);
  });

  it('is watched as it goes', async () => {
    const usual = extension.answer;
    const opened = Promise.withResolvers<ServerResponse>();
    extension.answer = (_seen, response) => {
      response.write('{"type":"ADDED","object":{"n":1}}\n');
      opened.resolve(response);
    };
    const watch = await WatchClient.open(server, `${things}?watch=true`);
    const response = await opened.promise;
    while (watch.lines.length < 1) await new Promise((resolve) => setTimeout(resolve, 5));
    response.end('{"type":"ADDED","object":{"n":2}}\n');
    await watch.end();
    assert.deepEqual(
      watch.lines.map(({ object }) => object.n),
      [1, 2],
    );
    extension.answer = usual;
  });

  it('may turn a connection into another', async () => {
    const { cert, key } = tenant;
    const { port } = server.apiserver;
    const socket = connect({ port, host: '127.0.0.1', ca: server.authority.cert, cert, key });
    await once(socket, 'secureConnect');
    const lines = ['host: a', 'connection: upgrade', 'upgrade: SPDY/3.1', 'x-remote-user: admin'];
    socket.write(`GET ${things}/a HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n`);
    let text = '';
    socket.on('data', (chunk: Buffer) => (text += chunk));
    while (!text.includes('\r\n\r\n')) await once(socket, 'data');
    assert.match(text, /^HTTP\/1\.1 101 /);
    socket.write('there and back');
    while (!text.endsWith('there and back')) await once(socket, 'data');
    socket.destroy();
    const { headers } = extension.seen.at(-1)!;
    assert.deepEqual(
      [headers['x-remote-user'], headers['x-remote-group']],
      ['tenant', 'people, more people, system:authenticated'],
    );
  });

  it('leads nobody elsewhere', async () => {
    const usual = extension.answer;
    extension.answer = (_seen, response) =>
      response.writeHead(302, { location: 'https://elsewhere.example.com/' }).end();
    const { status, headers, body } = await server.request('GET', `${things}/a`);
    assert.deepEqual([status, headers['location'], body.kind], [502, undefined, 'Status']);
    extension.answer = usual;
  });

  it('without endpoints is unavailable, and says so', async () => {
    await server.request('DELETE', `${slices}/extension-1`);
    await until(async () => (await available()).reason === 'MissingEndpoints');
    assert.equal((await server.request('GET', `${things}/a`)).status, 503);
    const accept = 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList';
    const { items } = (await server.request('GET', '/apis', { accept })).body;
    const told = items.find(
      ({ metadata }: { metadata: { name: string } }) => metadata.name === 'ext.example.com',
    );
    assert.equal(told.versions[0].freshness, 'Stale');
    const { stdout } = await server.kubectl(['get', 'apiservices', name]);
    assert.match(stdout, /default\/extension +False \(MissingEndpoints\) /);
    const { text } = await server.request('GET', '/metrics');
    assert.match(text, /^aggregator_unavailable_apiservice\{name="v1\.ext\.example\.com"\} 1$/m);
    assert.match(text, /^aggregator_unavailable_apiservice\{name="v1\.apps"\} 0$/m);
    assert.match(
      text,
      /^aggregator_unavailable_apiservice_total\{name="v1\.ext\.example\.com",reason="MissingEndpoints"\} \d+$/m,
    );
    await addEndpoint();
    await until(isPassed);
  });
});

describe('an extension server', { timeout: 60_000 }, () => {
  it('is not believed without a certificate of those who are named', async () => {
    await register(specOf({ caBundle: Buffer.from(frontProxy.cert).toString('base64') }));
    await until(async () => (await available()).reason === 'FailedDiscoveryCheck');
    const before = extension.seen.length;
    assert.equal((await server.request('GET', `${things}/a`)).status, 503);
    assert.equal(extension.seen.length, before);
    await unregister();
    await register(specOf({ caBundle: undefined, insecureSkipTLSVerify: true }));
    await until(isPassed);
    await unregister();
    await until(async () => (await server.request('GET', '/apis/ext.example.com')).status === 404);
  });

  it('is told of though it lists nothing but sub-resources, as servers of metrics do', async () => {
    const usual = extension.answer;
    const hits = { name: 'pods/hits', singularName: '', namespaced: true, kind: 'Hits', verbs: ['get'] };
    extension.answer = (_seen, response: ServerResponse) => {
      const groupVersion = 'figures.example.com/v1';
      response.end(JSON.stringify({ kind: 'APIResourceList', groupVersion, resources: [hits] }));
    };
    const spec = { ...specOf(), group: 'figures.example.com' };
    const body = { metadata: { name: 'v1.figures.example.com' }, spec };
    assert.equal((await server.request('POST', services, { body })).status, 201);
    await until(async () => (await available('v1.figures.example.com')).reason === 'Passed');
    const told = (await server.request('GET', '/apis/figures.example.com')).body;
    assert.equal(told.preferredVersion?.groupVersion, 'figures.example.com/v1');
    const accept = 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList';
    const { items } = (await server.request('GET', '/apis', { accept })).body;
    const found = items.find((each: { metadata: { name: string } }) => each.metadata.name === spec.group);
    assert.equal(found?.versions[0].freshness, 'Current');
    const kind = { group: 'figures.example.com', version: 'v1', kind: 'Hits' };
    assert.deepEqual(found?.versions[0].resources, [
      {
        ...{ resource: 'pods', scope: 'Namespaced', singularResource: '', verbs: [] },
        responseKind: { group: '', version: '', kind: '' },
        subresources: [{ subresource: 'hits', responseKind: kind, verbs: ['get'] }],
      },
    ]);
    await server.request('DELETE', `${services}/v1.figures.example.com`);
    extension.answer = usual;
  });

  it('may take a group over that this one serves, until its APIService goes', async () => {
    const path = `${services}/v1beta1.metrics.k8s.io`;
    const local = (await server.request('GET', path)).body;
    const service = { namespace: 'default', name: 'nobody' };
    const spec = { ...local.spec, service, insecureSkipTLSVerify: true };
    const { status, text } = await server.request('PUT', path, { body: { ...local, spec } });
    assert.equal(status, 200, text);
    await until(async () => (await available('v1beta1.metrics.k8s.io')).reason === 'ServiceNotFound');
    assert.equal((await server.request('GET', '/apis/metrics.k8s.io/v1beta1/nodes')).status, 404);
    await server.request('DELETE', path);
    await until(async () => (await available('v1beta1.metrics.k8s.io')).reason === 'Local');
    assert.equal((await server.request('GET', '/apis/metrics.k8s.io/v1beta1/nodes')).status, 200);
  });
});

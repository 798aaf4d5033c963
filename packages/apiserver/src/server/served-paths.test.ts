import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { decodeProtobuf } from '@wherry/kubeapi';
import { parse } from 'yaml';
import type { Credentials } from '../../test/pki.ts';
import { TestServer } from '../../test/test-server.ts';

const rbac = '/apis/rbac.authorization.k8s.io/v1';
const inside = '/api/v1/namespaces/shared';

describe('paths', () => {
  let server: TestServer;
  /** May do everything in the namespace `shared`, and nothing elsewhere. */
  let tenant: Credentials;
  before(async () => {
    server = await TestServer.start({ runtimeConfig: { 'networking.k8s.io/v1/servicecidrs': false } });
    tenant = await server.authority.issue({ name: 'tenant' });
    await server.request('POST', '/api/v1/namespaces', { body: { metadata: { name: 'shared' } } });
    await server.request('POST', '/api/v1/nodes', { body: { metadata: { name: 'vm' } } });
    const rules = [{ apiGroups: ['*'], resources: ['*'], verbs: ['*'] }];
    await server.request('POST', `${rbac}/namespaces/shared/roles`, {
      body: { metadata: { name: 'all' }, rules },
    });
    const roleRef = { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name: 'all' };
    const subjects = [{ apiGroup: 'rbac.authorization.k8s.io', kind: 'User', name: 'tenant' }];
    const binding = { metadata: { name: 'all' }, roleRef, subjects };
    await server.request('POST', `${rbac}/namespaces/shared/rolebindings`, { body: binding });
    for (const name of ['a', 'b']) {
      await server.request('POST', `${inside}/configmaps`, { body: { metadata: { name } } });
    }
  });
  after(() => server?.close());

  it('that only begin like discovery are not found', async () => {
    for (const path of [`${rbac}//roles`, `${rbac}//shared/roles`])
      assert.equal((await server.request('GET', path, { as: tenant })).status, 404, path);
    for (const path of [rbac, `${rbac}/`, '/apis/rbac.authorization.k8s.io/'])
      assert.equal((await server.request('GET', path, { as: tenant })).status, 200, path);
  });

  it('of what is not served are not found, whatever form of answer is asked for', async () => {
    for (const path of ['/api/v1/things', `${rbac}/things`]) {
      const { status, body } = await server.request('GET', path, { accept: 'image/png' });
      assert.deepEqual([status, body.reason], [404, 'NotFound'], path);
    }
    const things = '/apis/example.org/v1/things';
    const { status, text } = await server.request('GET', things, { accept: 'image/png' });
    assert.deepEqual([status, text], [404, '404 page not found\n']);
    assert.equal((await server.request('GET', things, { as: tenant })).body.reason, 'Forbidden');
  });

  it('outside of the API lead nowhere in plain text, whatever the method, and where they may be asked for alone', async () => {
    const inText = ['/nowhere', '/nowhere/', '/metrics/x', '/openapi', '/ui'];
    for (const rest of ['', '/', '/v1', '/v1/things', '/v1/namespaces/shared/things/a', '/v1/watch/things'])
      inText.push(`/apis/example.org${rest}`);
    for (const path of inText)
      for (const method of ['GET', 'POST', 'DELETE']) {
        const { status, text, headers } = await server.request(method, path);
        assert.deepEqual([status, text], [404, '404 page not found\n'], `${method} ${path}`);
        assert.equal(headers['content-type'], 'text/plain; charset=utf-8');
        assert.equal(headers['x-content-type-options'], 'nosniff');
      }
    for (const path of ['/healthz/nope', '/livez/ping/more'])
      assert.equal((await server.request('GET', path)).text, '404 page not found\n', path);
    assert.equal((await server.request('GET', '/nowhere', { as: tenant })).body.reason, 'Forbidden');
    for (const path of ['/api/v2', '/apis/apps/v2', '/version/more'])
      assert.equal((await server.request('GET', path)).body.reason, 'NotFound', path);
    assert.equal((await server.request('GET', '/version/')).status, 200);
  });

  it('outside of the API are asked by any method, but for those of services, which have GET alone', async () => {
    for (const path of [
      '/healthz',
      '/livez/ping',
      '/metrics',
      '/metrics/slis',
      '/',
      '/apis',
      '/apis/apps',
      '/openapi/v3',
    ]) {
      for (const method of ['POST', 'DELETE'])
        assert.equal((await server.request(method, path, { body: {} })).status, 200, `${method} ${path}`);
    }
    for (const path of ['/version', '/api', '/api/v1', '/apis/apps/v1', '/openid/v1/jwks']) {
      const { status, body } = await server.request('POST', path);
      assert.deepEqual([status, body.reason], [405, 'MethodNotAllowed'], path);
    }
    assert.equal((await server.request('POST', '/apis/apps/v2')).status, 404);
    assert.equal((await server.request('POST', '/healthz', { as: tenant })).status, 403);
  });

  it('that tokens are verified by may be kept for an hour, others are asked for anew', async () => {
    const kept = async (path: string) => (await server.request('GET', path)).headers['cache-control'];
    for (const path of ['/.well-known/openid-configuration', '/openid/v1/jwks'])
      assert.equal(await kept(path), 'public, max-age=3600', path);
    for (const path of ['/version', '/apis', '/api/v1'])
      assert.equal(await kept(path), 'no-cache, private', path);
  });

  it('of discovery as a whole are not sent again to who has them', async () => {
    const accept = 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList,application/json';
    for (const path of ['/api', '/apis']) {
      const { status, headers } = await server.request('GET', path, { accept });
      const etag = String(headers['etag']);
      assert.deepEqual([status, headers['cache-control']], [200, 'public'], path);
      assert.match(etag, /^"[0-9A-F]{128}"$/);
      const again = await server.request('GET', path, { accept, headers: { 'if-none-match': etag } });
      assert.deepEqual([again.status, again.text, again.headers['etag']], [304, '', etag], path);
      const plain = await server.request('GET', path, { headers: { 'if-none-match': etag } });
      assert.deepEqual([plain.status, plain.headers['etag']], [200, undefined], path);
    }
  });

  it('of discovery tell the same in JSON, YAML and protobuf', async () => {
    for (const path of ['/api', '/apis', '/apis/apps', '/apis/apps/v1', '/api/v1']) {
      const { body } = await server.request('GET', path);
      const yaml = await server.request('GET', path, { accept: 'application/yaml' });
      assert.equal(yaml.headers['content-type'], 'application/yaml');
      assert.deepEqual(parse(yaml.text), body, path);
      const binary = await server.request('GET', path, { accept: 'application/vnd.kubernetes.protobuf' });
      assert.equal(binary.headers['content-type'], 'application/vnd.kubernetes.protobuf');
      assert.equal((decodeProtobuf(binary.bytes) as { kind?: string }).kind, body.kind, path);
    }
  });

  it('of the cluster do not lead through a namespace, whatever a user may do there', async () => {
    const paths: [method: string, path: string][] = [
      ['GET', `${inside}/nodes`],
      ['GET', `${inside}/nodes/vm`],
      ['GET', `${inside}/nodes/vm/proxy/configz`],
      ['PATCH', `${inside}/nodes/vm/status`],
      ['GET', `${inside}/namespaces`],
      ['GET', `${inside}/namespaces/default`],
      ['DELETE', `${inside}/namespaces/shared`],
      ['PUT', `${inside}/namespaces/shared/finalize`],
      ['POST', `${inside}/namespaces`],
      ['POST', `${rbac}/namespaces/shared/clusterrolebindings`],
      ['GET', `${rbac}/namespaces/shared/clusterroles/cluster-admin`],
      ['POST', '/apis/authorization.k8s.io/v1/namespaces/shared/selfsubjectaccessreviews'],
      ['POST', '/apis/authentication.k8s.io/v1/namespaces/shared/tokenreviews'],
      ['GET', '/apis/apiextensions.k8s.io/v1/namespaces/shared/customresourcedefinitions'],
    ];
    const roleRef = { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'cluster-admin' };
    const subjects = [{ apiGroup: 'rbac.authorization.k8s.io', kind: 'User', name: 'tenant' }];
    for (const [method, path] of paths) {
      for (const as of [tenant, server.admin]) {
        const body = method === 'GET' ? undefined : { metadata: { name: 'mine' }, roleRef, subjects };
        const answer = await server.request(method, path, { as, body });
        assert.equal(answer.status, 404, `${method} ${path}: ${answer.text}`);
        assert.equal(answer.body.message, 'the server could not find the requested resource');
      }
    }
    assert.equal((await server.request('GET', `${rbac}/clusterrolebindings/mine`)).status, 404);
  });

  it('of a namespace’s objects lead through a namespace', async () => {
    const paths: [method: string, path: string][] = [
      ['GET', '/api/v1/configmaps/a'],
      ['DELETE', '/api/v1/pods/p'],
      ['GET', '/api/v1/pods/p/log'],
      ['POST', '/api/v1/pods/p/binding'],
      ['PATCH', `${rbac}/roles/all`],
    ];
    for (const [method, path] of paths) {
      assert.equal((await server.request(method, path, { body: {} })).status, 404, `${method} ${path}`);
    }
  });

  it('end where the resource ends', async () => {
    const paths = [
      '/pods//log',
      '/pods/p/log/more',
      '/pods/p/status/more',
      '/configmaps/a/status',
      '/configmaps/a/b',
    ];
    for (const path of paths) {
      const { status } = await server.request('GET', `${inside}${path}`);
      assert.equal(status, 404, path);
    }
  });

  it('of all namespaces are read, and not written', async () => {
    for (const method of ['DELETE', 'POST', 'PUT', 'PATCH']) {
      const { status, body } = await server.request(method, '/api/v1/configmaps', {
        body: { metadata: { name: 'c', namespace: 'shared' } },
      });
      assert.equal(status, 405, method);
      assert.equal(body.reason, 'MethodNotAllowed');
      assert.equal(body.message, 'the server does not allow this method on the requested resource');
    }
    const { body } = await server.request('GET', '/api/v1/configmaps');
    const names = body.items.map(({ metadata }: { metadata: { name: string } }) => metadata.name);
    assert.ok(names.includes('a') && names.includes('b'), 'nothing was deleted');
  });

  it('have the methods of upstream’s, and no others', async () => {
    const paths: [method: string, path: string, status: number][] = [
      ['POST', `${inside}/configmaps/a`, 405],
      ['PUT', `${inside}/configmaps`, 405],
      ['PATCH', `${inside}/configmaps`, 405],
      ['OPTIONS', `${inside}/configmaps`, 405],
      ['OPTIONS', `${inside}/pods/absent/proxy`, 404],
      ['DELETE', '/api/v1/namespaces', 405],
      ['DELETE', `${inside}/pods/p/status`, 405],
      ['POST', `${inside}/pods/p/log`, 405],
      ['GET', '/apis/authorization.k8s.io/v1/selfsubjectaccessreviews', 405],
      ['GET', `${inside}/configmaps/a`, 200],
      ['HEAD', `${inside}/configmaps/a`, 405],
      ['HEAD', `${inside}/configmaps`, 405],
      ['HEAD', '/healthz', 200],
      ['HEAD', '/apis', 200],
      ['HEAD', '/version', 405],
      ['HEAD', '/apis/apps/v1', 405],
      ['GET', '/api/v1/namespaces/shared', 200],
      ['GET', '/api/v1/namespaces/shared/', 200],
      ['GET', '/api/v1/namespaces/shared/status', 200],
      ['DELETE', `${inside}/configmaps`, 200],
    ];
    for (const [method, path, wanted] of paths) {
      const body = method === 'GET' || method === 'HEAD' || method === 'OPTIONS' ? undefined : {};
      const { status, text } = await server.request(method, path, { body });
      assert.equal(status, wanted, `${method} ${path}: ${text}`);
    }
  });

  it('of what wherry knows and does not serve say so', async () => {
    const paths: [path: string, message: RegExp][] = [
      [
        '/apis/networking.k8s.io/v1/servicecidrs/a',
        /resource: wherry does not serve servicecidrs of networking\.k8s\.io\/v1, since .* --runtime-config/,
      ],
      ['/apis/apps/v1/things', /^the server could not find the requested resource$/],
      ['/apis/apps/v9', /^the server could not find the requested resource$/],
    ];
    for (const [path, message] of paths) {
      const { status, body } = await server.request('GET', path);
      assert.equal(status, 404);
      assert.match(body.message, message);
    }
  });
});

describe('what discovery tells of', () => {
  it('has a handler each, with everything switched on too', async () => {
    const server = await TestServer.start({ runtimeConfig: { 'api/all': true } });
    try {
      const { body } = await server.request('GET', '/apis/apps/v1');
      const names = body.resources.map(({ name }: { name: string }) => name);
      assert.ok(names.includes('deployments/scale'), names.join());
    } finally {
      await server.close();
    }
  });
});

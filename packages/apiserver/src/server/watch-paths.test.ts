import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Credentials } from '../../test/pki.ts';
import { TestServer } from '../../test/test-server.ts';
import { WatchClient } from '../../test/watch-client.ts';

const rbac = '/apis/rbac.authorization.k8s.io/v1';
const inside = '/api/v1/namespaces/default/configmaps';
const watched = '/api/v1/watch/namespaces/default/configmaps';

describe('the deprecated /watch/ paths', () => {
  let server: TestServer;
  /** May watch one config map. */
  let reader: Credentials;
  before(async () => {
    server = await TestServer.start();
    reader = await server.authority.issue({ name: 'reader' });
    for (const name of ['a', 'b']) await server.request('POST', inside, { body: { metadata: { name } } });
    const rules = [{ apiGroups: [''], resources: ['configmaps'], resourceNames: ['a'], verbs: ['watch'] }];
    await server.request('POST', `${rbac}/namespaces/default/roles`, {
      body: { metadata: { name: 'a' }, rules },
    });
    const roleRef = { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name: 'a' };
    const subjects = [{ apiGroup: 'rbac.authorization.k8s.io', kind: 'User', name: 'reader' }];
    const binding = { metadata: { name: 'a' }, roleRef, subjects };
    await server.request('POST', `${rbac}/namespaces/default/rolebindings`, { body: binding });
  });
  after(() => server?.close());

  /** What a watch begins with. */
  const initial = async (path: string, count: number) => {
    const watch = await WatchClient.open(server, path);
    const lines = await watch.first(count);
    watch.close();
    return lines.map(({ type, object }) => `${type} ${object.kind} ${object.metadata.name}`);
  };

  it('watch everything, a namespace, and kinds of the cluster and of groups', async () => {
    const both = ['ADDED ConfigMap a', 'ADDED ConfigMap b'];
    assert.deepEqual(await initial(watched, 2), both);
    assert.deepEqual(await initial('/api/v1/watch/configmaps?labelSelector=!x', 2), both);
    assert.match((await initial('/api/v1/watch/namespaces', 1))[0]!, /^ADDED Namespace /);
    assert.match((await initial(`/apis/rbac.authorization.k8s.io/v1/watch/roles`, 1))[0]!, /^ADDED Role /);
  });

  it('watch one object, and tell of no other', async () => {
    const watch = await WatchClient.open(server, `${watched}/b?watch=false&timeoutSeconds=1`);
    await server.request('PATCH', `${inside}/a`, {
      body: { data: { x: 'y' } },
      type: 'application/merge-patch+json',
    });
    await server.request('DELETE', `${inside}/b`);
    await watch.end();
    const told = watch.lines.map(({ type, object }) => `${type} ${object.metadata.name}`);
    assert.deepEqual(told, ['ADDED b', 'DELETED b']);
    assert.deepEqual(await initial('/api/v1/watch/namespaces/default', 1), ['ADDED Namespace default']);
  });

  it('allow no field selector beside a name but for that name', async () => {
    const selected = await initial(`${watched}/a?fieldSelector=metadata.name%3Da`, 1);
    assert.deepEqual(selected, ['ADDED ConfigMap a']);
    for (const field of ['metadata.name%3Db', 'metadata.namespace%3Ddefault']) {
      const { status, body } = await server.request('GET', `${watched}/a?fieldSelector=${field}`);
      assert.equal(status, 400);
      assert.equal(body.message, "fieldSelector metadata.name doesn't match requested name");
    }
  });

  it('are watched by who may watch the object in the path', async () => {
    const ask = async (path: string) => (await server.request('GET', path, { as: reader })).status;
    assert.equal(await ask(`${watched}/a?timeoutSeconds=1`), 200);
    for (const path of [watched, `${watched}/b`, `${watched}/b?fieldSelector=metadata.name%3Da`])
      assert.equal(await ask(path), 403, path);
  });

  it('are there for GET alone, and end at the object', async () => {
    for (const method of ['POST', 'PUT', 'PATCH', 'DELETE']) {
      const { status } = await server.request(method, `${watched}/a`, { body: { metadata: { name: 'a' } } });
      assert.equal(status, 405, method);
    }
    for (const path of [
      '/api/v1/watch',
      '/api/v1/watch/configmaps/a',
      `${watched}/a/status`,
      '/api/v1/watch/x',
    ])
      assert.equal((await server.request('GET', path)).status, 404, path);
    assert.equal((await server.request('GET', `${inside}/a`)).status, 200, 'nothing was deleted');
  });
});

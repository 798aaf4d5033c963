import assert from 'node:assert/strict';
import { test } from 'node:test';
import { TestServer } from '../../test/test-server.ts';

const rbac = '/apis/rbac.authorization.k8s.io/v1';
const type = 'application/merge-patch+json';

test('a start adds what roles and bindings of every cluster lack, and leaves what somebody has added', async (context) => {
  const server = await TestServer.start();
  context.after(() => server.close());
  const role = `${rbac}/clusterroles/system:volume-scheduler`;
  const binding = `${rbac}/clusterrolebindings/system:volume-scheduler`;
  const { body: before } = await server.request('GET', role);
  const added = { apiGroups: ['example.com'], resources: ['boxes'], verbs: ['get'] };
  const [, ...kept] = before.rules;
  const changes: [string, object][] = [
    [
      role,
      { rules: [...kept, added], metadata: { labels: { mine: 'yes', 'kubernetes.io/bootstrapping': null } } },
    ],
    [binding, { subjects: [{ apiGroup: 'rbac.authorization.k8s.io', kind: 'User', name: 'ann' }] }],
    [
      `${rbac}/clusterroles/edit`,
      { aggregationRule: { clusterRoleSelectors: [{ matchLabels: { own: 'yes' } }] } },
    ],
    [
      `${rbac}/clusterroles/system:basic-user`,
      { rules: [], metadata: { annotations: { 'rbac.authorization.kubernetes.io/autoupdate': 'false' } } },
    ],
  ];
  for (const [path, body] of changes)
    assert.equal((await server.request('PATCH', path, { body, type })).status, 200);
  await server.restart();
  const { body: after } = await server.request('GET', role);
  assert.ok(after.rules.some(({ resources }: { resources: string[] }) => resources.includes('boxes')));
  assert.ok(after.rules.length > kept.length + 1, 'what was taken off is back');
  assert.deepEqual(after.metadata.labels, { mine: 'yes', 'kubernetes.io/bootstrapping': 'rbac-defaults' });
  const { body: bound } = await server.request('GET', binding);
  const names = bound.subjects.map(({ name }: { name: string }) => name);
  assert.deepEqual(names, ['ann', 'system:kube-scheduler']);
  const { body: sum } = await server.request('GET', `${rbac}/clusterroles/edit`);
  assert.equal(sum.aggregationRule.clusterRoleSelectors.length, 2);
  const { body: own } = await server.request('GET', `${rbac}/clusterroles/system:basic-user`);
  assert.deepEqual(own.rules, [], 'who says so keeps it as it is');
});

test('a binding of every cluster that leads elsewhere is made anew', async (context) => {
  const server = await TestServer.start();
  context.after(() => server.close());
  const path = `${rbac}/clusterrolebindings/system:volume-scheduler`;
  const { body } = await server.request('GET', path);
  await server.request('DELETE', path);
  const { resourceVersion: _resourceVersion, uid: _uid, ...metadata } = body.metadata;
  const other = { ...body, metadata, roleRef: { ...body.roleRef, name: 'view' } };
  assert.equal((await server.request('POST', `${rbac}/clusterrolebindings`, { body: other })).status, 201);
  await server.restart();
  assert.deepEqual((await server.request('GET', path)).body.roleRef, body.roleRef);
});

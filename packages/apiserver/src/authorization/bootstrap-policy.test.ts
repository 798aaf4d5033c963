import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { bootstrapBindings, bootstrapRoles } from './bootstrap-policy.ts';
import { ruleAllows } from './rbac.ts';

const writes = ['create', 'update', 'patch', 'delete', 'deletecollection'];

function allows(role: string, verb: string, group: string, resource: string): boolean {
  const [plural = '', subresource = ''] = resource.split('/');
  const rules = bootstrapRoles().find(({ metadata }) => metadata?.name === role)?.rules ?? [];
  const user = { name: 'u', uid: '', groups: [], extra: {} };
  const asked = { user, verb, isResource: true, path: '', group, namespace: 'default', name: '' };
  return rules.some((rule) => ruleAllows(rule, { ...asked, resource: plural, subresource }));
}

describe('the roles that every cluster has', () => {
  it('let nobody but administrators of the cluster lead services elsewhere', () => {
    for (const role of ['view', 'edit', 'admin']) {
      for (const verb of writes) {
        assert.equal(allows(role, verb, '', 'endpoints'), false, `${role} ${verb} endpoints`);
        assert.equal(
          allows(role, verb, 'discovery.k8s.io', 'endpointslices'),
          false,
          `${role} ${verb} slices`,
        );
      }
    }
    assert.equal(allows('cluster-admin', 'update', '', 'endpoints'), true);
    assert.equal(allows('edit', 'get', '', 'endpoints'), true);
  });

  it('give the API server at kubelets the nodes’ sub-resources, and nothing of the API', () => {
    const binding = bootstrapBindings().find(({ metadata }) => metadata?.name === 'system:kubelet-api-admin');
    assert.deepEqual(
      binding?.subjects?.map(({ kind, name }) => `${kind} ${name}`),
      ['User kube-apiserver-kubelet-client'],
    );
    for (const resource of ['nodes/proxy', 'nodes/checkpoint', 'nodes/statusz'])
      assert.equal(allows('system:kubelet-api-admin', 'create', '', resource), true, resource);
    assert.equal(allows('system:kubelet-api-admin', 'get', '', 'secrets'), false);
    assert.equal(allows('system:kubelet-api-admin', 'delete', '', 'nodes'), false);
  });

  it('are upstream’s, each binding with its role, and no other', () => {
    const roles = bootstrapRoles().map(({ metadata }) => metadata?.name);
    assert.deepEqual([roles.length, new Set(roles).size], [69, 69]);
    const bindings = bootstrapBindings();
    assert.equal(bindings.length, 51);
    for (const { roleRef } of bindings) assert.ok(roles.includes(roleRef.name), roleRef.name);
    assert.equal(allows('view', 'get', 'apps', 'deployments'), true);
    assert.equal(allows('view', 'get', '', 'secrets'), false);
    assert.equal(allows('edit', 'create', 'batch', 'jobs'), true);
    assert.equal(allows('edit', 'create', 'rbac.authorization.k8s.io', 'roles'), false);
    assert.equal(allows('admin', 'create', 'rbac.authorization.k8s.io', 'roles'), true);
    assert.equal(allows('system:controller:deployment-controller', 'create', 'apps', 'replicasets'), true);
  });
});

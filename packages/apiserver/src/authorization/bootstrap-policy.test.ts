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
    assert.equal(allows('system:kubelet-api-admin', 'create', '', 'nodes/proxy'), true);
    assert.equal(allows('system:kubelet-api-admin', 'get', '', 'secrets'), false);
    assert.equal(allows('system:kubelet-api-admin', 'delete', '', 'nodes'), false);
  });
});

import assert from 'node:assert/strict';
import { it } from 'node:test';
import { kinds } from '@wherry/client';
import { eventually, TestCluster } from '../../test/cluster.ts';

it('a role that is a sum gets the rules of those that its labels select, and loses them with those', async () => {
  const cluster = await TestCluster.start();
  try {
    const roles = cluster.client.resource(kinds.clusterRoles);
    const hasBoats = async () => {
      const { rules = [] } = await roles.get({ name: 'view' });
      return rules.some(({ apiGroups }) => apiGroups?.includes('boats.example'));
    };
    const before = (await roles.get({ name: 'view' })).rules?.length ?? 0;
    assert.ok(before > 3, 'the built-in rules are there from the start');
    const labels = { 'rbac.authorization.k8s.io/aggregate-to-view': 'true' };
    const rules = [{ apiGroups: ['boats.example'], resources: ['wherries'], verbs: ['get'] }];
    await roles.create({
      ...{ apiVersion: 'rbac.authorization.k8s.io/v1', kind: 'ClusterRole' },
      ...{ metadata: { name: 'see-boats', labels }, rules },
    });
    await eventually('view has the rule', hasBoats);
    const edit = await eventually('edit has it through view', async () => {
      const role = await roles.get({ name: 'edit' });
      return role.rules?.some(({ apiGroups }) => apiGroups?.includes('boats.example')) && role;
    });
    assert.ok(edit.aggregationRule);
    await roles.delete({ name: 'see-boats' });
    await eventually('view has lost it', async () => !(await hasBoats()));
    assert.equal((await roles.get({ name: 'view' })).rules?.length, before);
  } finally {
    await cluster.close();
  }
});

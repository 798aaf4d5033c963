import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { kinds } from '@wherry/client';
import { TestCluster, typeOf } from '../../test/cluster.ts';

const leases = typeOf('coordination.k8s.io', 'v1', 'leases');
const networkPolicies = typeOf('networking.k8s.io', 'v1', 'networkpolicies');
const policy = { spec: { podSelector: {} } };

describe('a namespace that is deleted', () => {
  it('takes with it what is in it, of all kinds that are served by then', async (test) => {
    const cluster = await TestCluster.start();
    test.after(() => cluster.close());
    const namespaces = cluster.client.resource(kinds.namespaces);
    await cluster.create(kinds.namespaces, 'early');
    await cluster.create(leases, 'one', { namespace: 'early' });
    await namespaces.delete({ name: 'early' });
    await cluster.gone(kinds.namespaces, 'early');
    await cluster.serve({ 'networking.k8s.io/v1': true });
    await cluster.create(kinds.namespaces, 'late');
    await cluster.create(networkPolicies, 'one', { namespace: 'late' }, policy);
    await namespaces.delete({ name: 'late' });
    await cluster.gone(kinds.namespaces, 'late');
    assert.equal(await cluster.read(networkPolicies, 'one', 'late'), undefined);
    assert.equal(await cluster.read(leases, 'one', 'early'), undefined);
  });
});

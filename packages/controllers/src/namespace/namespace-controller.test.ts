import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { kinds } from '@wherry/client';
import { eventually, TestCluster, typeOf } from '../../test/cluster.ts';

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

  it('says what keeps it, and keeps what pods may use until they are gone', async (test) => {
    const cluster = await TestCluster.start();
    test.after(() => cluster.close());
    const { client } = cluster;
    const [namespace, name] = ['kept', 'one'];
    await cluster.create(kinds.namespaces, namespace);
    const spec = { containers: [{ name: 'main', image: 'demo' }] };
    await cluster.create(kinds.serviceAccounts, 'default', { namespace }).catch(() => {});
    await cluster.create(kinds.pods, name, { namespace, finalizers: ['example.com/keeps'] }, { spec });
    await cluster.create(kinds.configMaps, name, { namespace });
    await client.resource(kinds.namespaces).delete({ name: namespace });
    const conditionsOf = async () => {
      const { status } = await client.resource(kinds.namespaces).get({ name: namespace });
      return new Map(status?.conditions?.map((each) => [each.type, each]));
    };
    await eventually(
      'the finalizer is told',
      async () => (await conditionsOf()).get('NamespaceFinalizersRemaining')?.status === 'True',
    );
    const conditions = await conditionsOf();
    assert.equal(
      conditions.get('NamespaceContentRemaining')?.message,
      'Some resources are remaining: pods. has 1 resource instances',
    );
    assert.equal(
      conditions.get('NamespaceFinalizersRemaining')?.message,
      'Some content in the namespace has finalizers remaining: example.com/keeps in 1 resource instances',
    );
    assert.equal(conditions.get('NamespaceDeletionContentFailure')?.status, 'False');
    assert.ok(await cluster.read(kinds.configMaps, name, namespace));
    const patch = { metadata: { finalizers: null } };
    await client.resource(kinds.pods).patch({ name, namespace, type: 'merge', patch });
    await cluster.gone(kinds.namespaces, namespace);
    assert.equal(await cluster.read(kinds.configMaps, name, namespace), undefined);
  });
});

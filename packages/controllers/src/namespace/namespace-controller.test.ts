import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { kinds } from '@wherry/client';
import { FakeClock } from '@wherry/clock';
import type { Namespace } from '@wherry/kubeapi';
import { eventually, TestCluster, typeOf } from '../../test/cluster.ts';
import { namespaceReconciler } from './namespace-controller.ts';

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

/** A namespace `n` with objects of one kind, and what is done to it; `failed` = groups of which the server does not tell. */
function start({ items, failed = [] }: { items: object[]; failed?: string[] }) {
  const waitsMs: number[] = [];
  const done: string[] = [];
  const objects = new Map<string, Namespace>([
    ['n', { metadata: { name: 'n', deletionTimestamp: 'now' }, spec: { finalizers: ['kubernetes'] } }],
  ]);
  const verbs = ['list', 'delete', 'deletecollection'];
  const client = {
    metadata: () => ({
      list: async () => ({ items }),
      deleteCollection: async () => void done.push('empties'),
    }),
    resource: () => ({
      get: async () => objects.get('n'),
      update: async (namespace: Namespace, { subresource }: { subresource: string }) => {
        if (subresource === 'finalize') done.push('finalizes');
        else objects.set('n', namespace);
      },
    }),
  };
  const served = {
    ...{ refresh: async () => undefined, failed },
    withVerbs: () => [{ group: '', version: 'v1', plural: 'configmaps', namespaced: true, verbs }],
  };
  const context = {
    cluster: { client, clock: new FakeClock(), served },
    informers: { namespaces: { objects } },
    queue: { addAfter: (_key: string, delayMs: number) => void waitsMs.push(delayMs) },
  };
  const { reconcile } = namespaceReconciler(context as unknown as Parameters<typeof namespaceReconciler>[0]);
  const look = async () => {
    await reconcile('n', AbortSignal.timeout(5_000));
    return waitsMs.at(-1) ?? 0;
  };
  return { look, waitsMs, done, objects };
}

it('names what stays in a namespace although nothing keeps it, with its group and version', async () => {
  const { look, objects } = start({ items: [{ metadata: { name: 'one' } }] });
  await look();
  const failure = objects
    .get('n')
    ?.status?.conditions?.find(({ reason }) => reason === 'ContentDeletionFailed');
  assert.equal(
    failure?.message,
    'Failed to delete all resource types, 1 remaining: unexpected items still remain in namespace: n for gvr: /v1, Resource=configmaps',
  );
});

const kept = (name: string) => ({ metadata: { name, finalizers: ['example.com/keeps'] } });

it('looks at a namespace that nothing leaves less and less often, and soon again when something went', async () => {
  const items = [kept('one'), kept('two')];
  const { look, waitsMs } = start({ items });
  for (let turn = 0; turn < 8; turn += 1) await look();
  assert.ok(
    waitsMs.slice(0, 2).every((waitMs) => waitMs < 1_000),
    `${waitsMs}`,
  );
  assert.ok((await look()) >= 4_000, `${waitsMs}`);
  items.pop();
  assert.ok((await look()) < 1_000, `${waitsMs}`);
});

it('empties a namespace of what is known while an extension server does not answer, and keeps it', async () => {
  const items = [kept('one')];
  const failed = ['silent.example.com/v1'];
  const { look, done, objects } = start({ items, failed });
  await look();
  assert.deepEqual(done, ['empties']);
  items.pop();
  await look();
  assert.deepEqual(done, ['empties']);
  const { type, status, message } =
    objects.get('n')?.status?.conditions?.find((each) => each.reason === 'DiscoveryFailed') ?? {};
  assert.deepEqual([type, status], ['NamespaceDeletionDiscoveryFailure', 'True']);
  assert.equal(
    message,
    'Discovery failed for some groups, 1 failing: unable to retrieve the complete list of server APIs: silent.example.com/v1: stale GroupVersion discovery: silent.example.com/v1',
  );
  failed.pop();
  await look();
  assert.deepEqual(done, ['empties', 'finalizes']);
});

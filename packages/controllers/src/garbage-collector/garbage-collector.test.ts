import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { discoverResources, type KubeObject, kinds } from '@wherry/client';
import type { Event, LabelSelector } from '@wherry/kubeapi';
import { widgetDefinition } from '../../../apiserver/test/custom-definitions.ts';
import { eventually, ownedBy, TestCluster, typeOf } from '../../test/cluster.ts';
import { limits } from '../limits.ts';

const replicaSets = typeOf('apps', 'v1', 'replicasets');
const clusterRoles = typeOf('rbac.authorization.k8s.io', 'v1', 'clusterroles');
const selector: LabelSelector = { matchLabels: { app: 'x' } };
const replicaSet = {
  spec: {
    replicas: 0,
    selector,
    template: {
      metadata: { labels: { app: 'x' } },
      spec: { containers: [{ name: 'main', image: 'example.com/none' }] },
    },
  },
};
const ownersOf = (object: KubeObject | undefined) =>
  (object?.metadata?.ownerReferences ?? []).map(({ name }) => name);

describe('the garbage collector', () => {
  let cluster: TestCluster;
  before(async () => {
    cluster = await TestCluster.start({ 'apps/v1': true });
  });
  after(() => cluster.close());

  const createOwner = (name: string, finalizers?: string[]) =>
    cluster.create(replicaSets, name, finalizers ? { finalizers } : {}, replicaSet);
  const remove = (name: string, propagationPolicy: 'Foreground' | 'Background' | 'Orphan') =>
    cluster.client.resource(replicaSets).delete({ name, namespace: 'default' }, { propagationPolicy });

  it('deletes dependents of every kind once their owner is gone in the background', async () => {
    const owners = [ownedBy(await createOwner('many-kinds'))];
    const dependents = [
      kinds.configMaps,
      kinds.serviceAccounts,
      typeOf('coordination.k8s.io', 'v1', 'leases'),
      typeOf('rbac.authorization.k8s.io', 'v1', 'roles'),
      typeOf('discovery.k8s.io', 'v1', 'endpointslices'),
      replicaSets,
    ];
    for (const type of dependents) {
      const more = {
        endpointslices: { addressType: 'IPv4', endpoints: [] },
        replicasets: replicaSet,
      }[type.plural];
      await cluster.create(type, 'of-many-kinds', { owners }, more);
    }
    await remove('many-kinds', 'Background');
    for (const type of dependents) await cluster.gone(type, 'of-many-kinds');
  });

  it('knows custom resources from when they are defined, as owners and as dependents', async () => {
    const startedMs = performance.now();
    const path = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
    await cluster.server.request('POST', path, { body: widgetDefinition() });
    const widgets = {
      ...{ group: 'example.com', version: 'v1', kind: 'Widget', plural: 'widgets', namespaced: true },
    };
    const isServed = async () => (await cluster.server.request('GET', '/apis/example.com/v1')).status === 200;
    await eventually('widgets are served', isServed);
    const spec = { spec: { color: 'red' } };
    const first = await cluster.create(widgets, 'first', {}, spec);
    await cluster.create(widgets, 'second', { owners: [ownedBy(first)] }, spec);
    await cluster.create(kinds.configMaps, 'of-a-widget', { owners: [ownedBy(first)] });
    await cluster.client.resource(widgets).delete({ name: 'first', namespace: 'default' });
    await cluster.gone(widgets, 'second');
    await cluster.gone(kinds.configMaps, 'of-a-widget');
    // Well before the server is asked of itself.
    assert.ok(performance.now() - startedMs < limits.discoveryPeriodMs / 2);
    await cluster.server.request('DELETE', `${path}/widgets.example.com`);
    await eventually('widgets are served no more', async () => !(await isServed()));
  });

  it('deletes what depends on what depends on a deleted owner', async () => {
    const first = await createOwner('first');
    const second = await cluster.create(kinds.configMaps, 'second', { owners: [ownedBy(first)] });
    await cluster.create(kinds.secrets, 'third', { owners: [ownedBy(second)] });
    await remove('first', 'Background');
    await cluster.gone(kinds.secrets, 'third');
  });

  it('keeps an owner that is deleted in the foreground until its blocking dependents are gone', async () => {
    const owner = await createOwner('patient');
    const blocking = {
      owners: [ownedBy(owner, { blockOwnerDeletion: true })],
      finalizers: ['example.com/held'],
    };
    await cluster.create(kinds.configMaps, 'blocking', blocking);
    await cluster.create(kinds.configMaps, 'free', { owners: [ownedBy(owner)] });
    await remove('patient', 'Foreground');
    await cluster.gone(kinds.configMaps, 'free');
    await eventually('the blocking dependent is being deleted', async () => {
      const found = await cluster.read(kinds.configMaps, 'blocking');
      return found?.metadata?.deletionTimestamp !== undefined;
    });
    const waiting = await cluster.read(replicaSets, 'patient');
    assert.deepEqual(waiting?.metadata?.finalizers, ['foregroundDeletion']);
    await cluster.client.resource(kinds.configMaps).patch({
      ...{ name: 'blocking', namespace: 'default', type: 'merge' },
      patch: { metadata: { finalizers: null } },
    });
    await cluster.gone(kinds.configMaps, 'blocking');
    await cluster.gone(replicaSets, 'patient');
  });

  it('ends foreground deletions while an extension server does not answer', async (test) => {
    const name = 'v1.silent.example.com';
    await cluster.create(
      kinds.apiServices,
      name,
      {},
      {
        spec: {
          ...{ group: 'silent.example.com', version: 'v1', insecureSkipTLSVerify: true },
          ...{ groupPriorityMinimum: 100, versionPriority: 100 },
          service: { namespace: 'default', name: 'silent' },
        },
      },
    );
    test.after(() => cluster.client.resource(kinds.apiServices).delete({ name }));
    await eventually('it does not answer', async () => {
      const { failed } = await discoverResources(cluster.client, AbortSignal.timeout(10_000));
      return failed.length > 0;
    });
    const owner = await createOwner('with-silence');
    await cluster.create(kinds.configMaps, 'beside-silence', {
      owners: [ownedBy(owner, { blockOwnerDeletion: true })],
    });
    // The collector asks every 30 s, on its hasty clock every second.
    await delay(2_000);
    await remove('with-silence', 'Foreground');
    await cluster.gone(replicaSets, 'with-silence');
    assert.equal(await cluster.read(kinds.configMaps, 'beside-silence'), undefined);
  });

  it('deletes a dependent that has dependents itself in the foreground when its owner waits for it', async () => {
    const owner = await createOwner('top');
    const middle = await cluster.create(kinds.configMaps, 'middle', {
      owners: [ownedBy(owner, { blockOwnerDeletion: true })],
    });
    await cluster.create(kinds.configMaps, 'bottom', {
      owners: [ownedBy(middle, { blockOwnerDeletion: true })],
      finalizers: ['example.com/held'],
    });
    await remove('top', 'Foreground');
    await eventually('the middle waits for the bottom', async () => {
      const found = await cluster.read(kinds.configMaps, 'middle');
      return found?.metadata?.finalizers?.includes('foregroundDeletion') === true;
    });
    await cluster.client.resource(kinds.configMaps).patch({
      ...{ name: 'bottom', namespace: 'default', type: 'merge' },
      patch: { metadata: { finalizers: null } },
    });
    await cluster.gone(replicaSets, 'top');
    assert.equal(await cluster.read(kinds.configMaps, 'middle'), undefined);
  });

  it('waits in the foreground for nobody in another namespace, whatever that says', async () => {
    const owner = await createOwner('watched-from-afar');
    await cluster.create(kinds.namespaces, 'stranger');
    const held = { finalizers: ['example.com/held'], namespace: 'stranger' };
    await cluster.create(kinds.configMaps, 'clinging', {
      ...{ ...held, owners: [ownedBy(owner, { blockOwnerDeletion: true })] },
    });
    await remove('watched-from-afar', 'Foreground');
    await cluster.gone(replicaSets, 'watched-from-afar');
  });

  it('ends a foreground deletion of two objects that own each other', async () => {
    const left = await cluster.create(kinds.configMaps, 'left');
    const right = await cluster.create(kinds.configMaps, 'right', {
      owners: [ownedBy(left, { blockOwnerDeletion: true })],
    });
    const ownerReferences = [ownedBy(right, { blockOwnerDeletion: true })];
    const configMaps = cluster.client.resource(kinds.configMaps);
    await configMaps.patch({
      ...{ name: 'left', namespace: 'default', type: 'merge' },
      patch: { metadata: { ownerReferences } },
    });
    await configMaps.delete({ name: 'left', namespace: 'default' }, { propagationPolicy: 'Foreground' });
    await cluster.gone(kinds.configMaps, 'left');
    await cluster.gone(kinds.configMaps, 'right');
  });

  it('frees the dependents of an orphaning owner, and deletes none of them', async () => {
    const owner = await createOwner('orphaning');
    const lease = typeOf('coordination.k8s.io', 'v1', 'leases');
    for (const type of [kinds.configMaps, lease])
      await cluster.create(type, 'orphaned', { owners: [ownedBy(owner)] });
    await remove('orphaning', 'Orphan');
    await cluster.gone(replicaSets, 'orphaning');
    await cluster.settled();
    for (const type of [kinds.configMaps, lease]) {
      const found = await cluster.read(type, 'orphaned');
      assert.ok(found, `${type.plural} orphaned is still there`);
      assert.deepEqual(ownersOf(found), []);
    }
  });

  it('takes references to owners that are gone away while another owner is there', async () => {
    const staying = await createOwner('staying');
    const leaving = await createOwner('leaving');
    await cluster.create(kinds.configMaps, 'shared', { owners: [ownedBy(staying), ownedBy(leaving)] });
    await remove('leaving', 'Background');
    await eventually('the dangling reference is gone', async () => {
      return ownersOf(await cluster.read(kinds.configMaps, 'shared')).join() === 'staying';
    });
  });

  it('lets go of an owner in foreground deletion while another owner is there', async () => {
    const staying = await createOwner('staying-too');
    const leaving = await createOwner('leaving-slowly');
    const owners = [ownedBy(staying), ownedBy(leaving, { blockOwnerDeletion: true })];
    await cluster.create(kinds.configMaps, 'kept', { owners });
    await remove('leaving-slowly', 'Foreground');
    await cluster.gone(replicaSets, 'leaving-slowly');
    assert.deepEqual(ownersOf(await cluster.read(kinds.configMaps, 'kept')), ['staying-too']);
  });

  it('takes another object under the name of an owner for nobody', async () => {
    const old = await createOwner('reborn');
    await remove('reborn', 'Background');
    await cluster.gone(replicaSets, 'reborn');
    const reborn = await createOwner('reborn');
    await cluster.create(kinds.configMaps, 'of-the-old', { owners: [ownedBy(old)] });
    await cluster.create(kinds.configMaps, 'of-the-new', { owners: [ownedBy(reborn)] });
    await cluster.gone(kinds.configMaps, 'of-the-old');
    await cluster.settled();
    assert.ok(await cluster.read(kinds.configMaps, 'of-the-new'));
  });

  it('serves cluster-scoped owners of dependents in any namespace', async () => {
    const owner = await cluster.create(clusterRoles, 'wide', {}, { rules: [] });
    for (const namespace of ['default', 'kube-public'])
      await cluster.create(kinds.configMaps, 'of-wide', { namespace, owners: [ownedBy(owner)] });
    await cluster.settled();
    assert.ok(await cluster.read(kinds.configMaps, 'of-wide', 'kube-public'));
    await cluster.client.resource(clusterRoles).delete({ name: 'wide' });
    for (const namespace of ['default', 'kube-public'])
      await cluster.gone(kinds.configMaps, 'of-wide', namespace);
  });

  it('leaves a cluster-scoped object alone that names a namespaced owner', async () => {
    const absent = { apiVersion: 'v1', kind: 'ConfigMap', name: 'none', uid: crypto.randomUUID() };
    await cluster.create(clusterRoles, 'odd', { owners: [absent] }, { rules: [] });
    await cluster.settled();
    assert.ok(await cluster.read(clusterRoles, 'odd'));
  });

  it('says so and deletes when the owner is in another namespace, since there it is nobody’s', async () => {
    const owner = await cluster.create(kinds.configMaps, 'elsewhere', { namespace: 'kube-public' });
    await cluster.create(kinds.configMaps, 'stranger', { owners: [ownedBy(owner)] });
    await cluster.gone(kinds.configMaps, 'stranger');
    await eventually('an event tells why', async () => {
      const { items } = await cluster.client.resource(kinds.events).list({ namespace: 'default' });
      return items.some(
        ({ reason, involvedObject, message = '' }: Event) =>
          reason === 'OwnerRefInvalidNamespace' &&
          involvedObject.name === 'stranger' &&
          message.endsWith('does not exist in namespace "default"'),
      );
    });
  });

  it('never deletes on the word of a kind that nobody knows', async () => {
    const unknown = { apiVersion: 'example.com/v1', kind: 'Widget', name: 'w', uid: crypto.randomUUID() };
    await cluster.create(kinds.configMaps, 'of-a-widget', { owners: [unknown] });
    await cluster.settled();
    assert.ok(await cluster.read(kinds.configMaps, 'of-a-widget'));
  });
});

describe('the garbage collector of a server whose groups are switched', () => {
  it('deletes nothing when apps/v1 is off, and collects when it is on again', async (test) => {
    const cluster = await TestCluster.start({ 'apps/v1': true });
    test.after(() => cluster.close());
    const owner = await cluster.create(replicaSets, 'owner', {}, replicaSet);
    await cluster.create(kinds.configMaps, 'owned', { owners: [ownedBy(owner)] });
    await cluster.create(kinds.secrets, 'owned', { owners: [ownedBy(owner)] });
    await cluster.settled();
    // Under a running collector, and under one that starts anew.
    await cluster.serve({});
    await cluster.settled();
    await cluster.stopControllers();
    cluster.startControllers();
    await cluster.settled();
    assert.ok(await cluster.read(kinds.configMaps, 'owned'));
    assert.ok(await cluster.read(kinds.secrets, 'owned'));
    await cluster.serve({ 'apps/v1': true });
    await cluster.client.resource(replicaSets).delete({ name: 'owner', namespace: 'default' });
    await cluster.gone(kinds.configMaps, 'owned');
    await cluster.gone(kinds.secrets, 'owned');
  });
});

import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { kinds } from '@wherry/client';
import type { Pod, StatefulSet, StatefulSetSpec } from '@wherry/kubeapi';
import { eventually } from '../../test/cluster.ts';
import { WorkloadCluster } from '../../test/workload-cluster.ts';

let there: WorkloadCluster;
before(async () => {
  there = await WorkloadCluster.start();
});
after(() => there.close());

const specOf = (app: string, more: Partial<StatefulSetSpec> = {}): { spec: StatefulSetSpec } => ({
  spec: {
    replicas: 3,
    serviceName: app,
    selector: { matchLabels: { app } },
    template: { metadata: { labels: { app } }, spec: { containers: [{ name: 'main', image: 'busybox:1' }] } },
    ...more,
  },
});
const withImage = (image: string) => ({
  spec: { template: { spec: { containers: [{ name: 'main', image }] } } },
});
const isRolledOut = ({ status, spec, metadata }: StatefulSet) =>
  status?.observedGeneration === metadata.generation &&
  status?.replicas === spec.replicas &&
  (status?.readyReplicas ?? 0) === spec.replicas &&
  status?.currentRevision === status?.updateRevision;
const rolledOut = (name: string) => there.until(kinds.statefulSets, name, 'is rolled out', isRolledOut);
const podsOf = async (app: string): Promise<Pod[]> => {
  const pods = await there.pods(`app=${app}`);
  return pods.sort((a, b) => (a.metadata.name ?? '').localeCompare(b.metadata.name ?? ''));
};
const names = async (app: string) => (await podsOf(app)).map(({ metadata }) => metadata.name);
const images = async (app: string) => (await podsOf(app)).map(({ spec }) => spec?.containers[0]?.image);

describe('the stateful set controller', () => {
  it('makes named pods one after the other, each with its claim', async () => {
    const template = {
      metadata: { name: 'data' },
      spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Mi' } } },
    };
    await there.create(kinds.statefulSets, 'db', specOf('db', { volumeClaimTemplates: [template as never] }));
    const { status } = await rolledOut('db');
    assert.deepEqual(await names('db'), ['db-0', 'db-1', 'db-2']);
    const created = (await there.events('db')).filter((event) => event.includes('Create Pod'));
    assert.deepEqual(
      created,
      [0, 1, 2].map((index) => `SuccessfulCreate: Create Pod db-${index} in StatefulSet db successful`),
    );
    const [pod] = await podsOf('db');
    assert.deepEqual(pod?.metadata.labels, {
      app: 'db',
      'apps.kubernetes.io/pod-index': '0',
      'controller-revision-hash': status?.currentRevision,
      'statefulset.kubernetes.io/pod-name': 'db-0',
    });
    assert.equal(pod?.metadata.generateName, 'db-');
    assert.deepEqual([pod?.spec?.hostname, pod?.spec?.subdomain], ['db-0', 'db']);
    const [revision] = await there.labelled(kinds.controllerRevisions, 'app=db');
    const { name = '', labels } = revision?.metadata ?? {};
    assert.deepEqual(labels, { app: 'db', 'controller.kubernetes.io/hash': name.slice('db-'.length) });
    assert.equal(pod?.spec?.volumes?.[0]?.persistentVolumeClaim?.claimName, 'data-db-0');
    const claims = await there.labelled(kinds.persistentVolumeClaims, 'app=db');
    assert.deepEqual(claims.map(({ metadata }) => metadata.name).sort(), [
      'data-db-0',
      'data-db-1',
      'data-db-2',
    ]);
    const { currentRevision, updateRevision, ...counts } = status ?? {};
    assert.equal(currentRevision, updateRevision);
    assert.deepEqual(counts, {
      ...{ observedGeneration: 1, replicas: 3, readyReplicas: 3, availableReplicas: 3 },
      ...{ currentReplicas: 3, updatedReplicas: 3, collisionCount: 0 },
    });
  });

  it('replaces pods from the last to the first', async () => {
    await there.merge(kinds.statefulSets, 'db', withImage('busybox:2'));
    await rolledOut('db');
    assert.deepEqual(await images('db'), ['busybox:2', 'busybox:2', 'busybox:2']);
    const deleted = (await there.events('db')).filter((event) => event.startsWith('SuccessfulDelete'));
    assert.deepEqual(
      deleted,
      [2, 1, 0].map((index) => `SuccessfulDelete: Delete Pod db-${index} in StatefulSet db successful`),
    );
    assert.equal((await there.labelled(kinds.controllerRevisions, 'app=db')).length, 2);
  });

  it('goes back to an earlier template with the earlier revision', async () => {
    const before = (await there.read(kinds.statefulSets, 'db')).status?.currentRevision;
    await there.merge(kinds.statefulSets, 'db', withImage('busybox:1'));
    const { status } = await rolledOut('db');
    const revisions = await there.labelled(kinds.controllerRevisions, 'app=db');
    assert.deepEqual(revisions.map(({ revision }) => revision).sort(), [2, 3]);
    assert.notEqual(status?.currentRevision, before);
  });

  it('keeps what is below the partition', async () => {
    const updateStrategy = { type: 'RollingUpdate', rollingUpdate: { partition: 2 } };
    await there.merge(kinds.statefulSets, 'db', { spec: { updateStrategy, ...withImage('busybox:3').spec } });
    await eventually(
      'the last one is new',
      async () => (await images('db')).join() === 'busybox:1,busybox:1,busybox:3',
    );
    const [before] = await podsOf('db');
    await there.cluster.client.resource(kinds.pods).delete({ name: 'db-0', namespace: 'default' });
    await eventually('another has its name', async () => {
      const [first] = await podsOf('db');
      return first?.metadata.name === 'db-0' && first.metadata.uid !== before?.metadata.uid;
    });
    assert.deepEqual(await images('db'), ['busybox:1', 'busybox:1', 'busybox:3']);
  });

  it('takes claims along when the policy says so', async () => {
    const persistentVolumeClaimRetentionPolicy = { whenDeleted: 'Retain', whenScaled: 'Delete' };
    await there.merge(kinds.statefulSets, 'db', {
      spec: { replicas: 1, persistentVolumeClaimRetentionPolicy },
    });
    await eventually('one pod is left', async () => (await names('db')).join() === 'db-0');
    await eventually('and one claim', async () => {
      const claims = await there.labelled(kinds.persistentVolumeClaims, 'app=db');
      return claims.filter(({ metadata }) => !metadata.deletionTimestamp).length === 1;
    });
  });

  it('begins with the first of two billion pods without a list of them all', async () => {
    there.kubelet.outcomeOf = () => 'unready';
    await there.create(kinds.statefulSets, 'vast', specOf('vast', { replicas: 2_000_000_000 }));
    await eventually('the first is there', async () => (await names('vast')).join() === 'vast-0');
    await there.merge(kinds.statefulSets, 'vast', { spec: { replicas: 0 } });
    await eventually('it is gone', async () => (await names('vast')).length === 0);
  });

  it('makes pods all at once when they are managed in parallel', async () => {
    there.kubelet.outcomeOf = () => 'unready';
    const spec = specOf('all', { podManagementPolicy: 'Parallel', ordinals: { start: 5 } });
    await there.create(kinds.statefulSets, 'all', spec);
    await eventually('all are there', async () => (await names('all')).join() === 'all-5,all-6,all-7');
    await there.merge(kinds.statefulSets, 'all', { spec: { replicas: 0 } });
    await eventually('all are gone', async () => (await names('all')).length === 0);
  });

  it('mends the labels by which a pod is known, and says so', async () => {
    there.kubelet.outcomeOf = () => 'ready';
    await there.create(kinds.statefulSets, 'known', specOf('known', { replicas: 1 }));
    await rolledOut('known');
    const label = 'statefulset.kubernetes.io/pod-name';
    await there.merge(kinds.pods, 'known-0', { metadata: { labels: { [label]: null } } });
    await there.until(
      kinds.pods,
      'known-0',
      'has its label',
      ({ metadata }) => metadata.labels?.[label] === 'known-0',
    );
    const said = 'SuccessfulUpdate: Update Pod known-0 in StatefulSet known successful';
    await eventually(said, async () => (await there.events('known')).includes(said));
  });

  it('says which claim keeps a pod from being made', async () => {
    there.kubelet.outcomeOf = () => 'ready';
    const client = there.cluster.client.resource(kinds.persistentVolumeClaims);
    const spec = { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Mi' } } };
    await there.cluster.create(
      kinds.persistentVolumeClaims,
      'data-held-0',
      { finalizers: ['example.com/held'] },
      { spec },
    );
    await client.delete({ name: 'data-held-0', namespace: 'default' });
    const template = { metadata: { name: 'data' }, spec } as never;
    await there.create(
      kinds.statefulSets,
      'held',
      specOf('held', { replicas: 1, volumeClaimTemplates: [template] }),
    );
    const why = 'pvc data-held-0 is being deleted';
    const said = `FailedCreate: Create Pod held-0 in StatefulSet held failed error: ${why}`;
    await eventually(said, async () => (await there.events('held')).includes(said));
    await there.merge(kinds.persistentVolumeClaims, 'data-held-0', { metadata: { finalizers: null } });
    await rolledOut('held');
  });

  it('gives a claim its owner while its pod is still pending', async () => {
    there.kubelet.outcomeOf = () => 'unready';
    const spec = { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Mi' } } };
    const template = { metadata: { name: 'data' }, spec } as never;
    const persistentVolumeClaimRetentionPolicy = { whenDeleted: 'Delete', whenScaled: 'Retain' };
    const nodeSelector = { nowhere: 'yes' };
    const { spec: set } = specOf('early', { replicas: 1, volumeClaimTemplates: [template] });
    const pod = { ...set.template.spec!, nodeSelector };
    await there.create(kinds.statefulSets, 'early', {
      spec: { ...set, template: { ...set.template, spec: pod }, persistentVolumeClaimRetentionPolicy },
    });
    await eventually('it has an owner', async () => {
      const [claim] = await there.labelled(kinds.persistentVolumeClaims, 'app=early');
      return claim?.metadata.ownerReferences?.map(({ kind }) => kind).join() === 'StatefulSet';
    });
  });

  it('leaves a claim to another controller, and says so', async () => {
    there.kubelet.outcomeOf = () => 'ready';
    const spec = { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Mi' } } };
    const template = { metadata: { name: 'data' }, spec } as never;
    await there.create(
      kinds.statefulSets,
      'two',
      specOf('two', { replicas: 1, volumeClaimTemplates: [template] }),
    );
    const set = await rolledOut('two');
    const other = { apiVersion: 'v1', kind: 'ConfigMap', name: 'other', uid: 'other', controller: true };
    const own = { apiVersion: 'apps/v1', kind: 'StatefulSet', name: 'two', uid: set.metadata.uid };
    const config = await there.cluster.create(kinds.configMaps, 'other');
    await there.merge(kinds.persistentVolumeClaims, 'data-two-0', {
      metadata: { ownerReferences: [{ ...other, uid: config.metadata?.uid }, own] },
    });
    const persistentVolumeClaimRetentionPolicy = { whenDeleted: 'Delete', whenScaled: 'Retain' };
    await there.merge(kinds.statefulSets, 'two', { spec: { persistentVolumeClaimRetentionPolicy } });
    await eventually('the set is no owner', async () => {
      const { metadata } = await there.read(kinds.persistentVolumeClaims, 'data-two-0');
      return metadata.ownerReferences?.map(({ kind }) => kind).join() === 'ConfigMap';
    });
    await eventually('it is said', async () =>
      (await there.events('two')).some((event) => event.startsWith('ConflictingController: ')),
    );
  });

  it('keeps all revisions when it is told to keep fewer than none', async () => {
    there.kubelet.outcomeOf = () => 'ready';
    await there.create(
      kinds.statefulSets,
      'all-kept',
      specOf('all-kept', { replicas: 1, revisionHistoryLimit: -1 }),
    );
    await rolledOut('all-kept');
    for (const image of ['busybox:2', 'busybox:3']) {
      await there.merge(kinds.statefulSets, 'all-kept', withImage(image));
      await rolledOut('all-kept');
    }
    assert.equal((await there.labelled(kinds.controllerRevisions, 'app=all-kept')).length, 3);
  });

  it('lets a claim that has to go first keep its own pod waiting alone, until it is gone', async () => {
    there.kubelet.outcomeOf = () => 'ready';
    const spec = { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Mi' } } };
    const before = { apiVersion: 'v1', kind: 'Pod', name: 'wide-0', uid: 'the-one-before' };
    const claim = { owners: [before], finalizers: ['example.com/held'] };
    await there.cluster.create(kinds.persistentVolumeClaims, 'data-wide-0', claim, { spec });
    const template = { metadata: { name: 'data' }, spec } as never;
    const policy = { whenDeleted: 'Retain', whenScaled: 'Delete' };
    const more = { replicas: 3, podManagementPolicy: 'Parallel' } as const;
    const set = specOf('wide', { ...more, volumeClaimTemplates: [template] });
    await there.create(kinds.statefulSets, 'wide', {
      spec: { ...set.spec, persistentVolumeClaimRetentionPolicy: policy },
    });
    await eventually('the others are there', async () => (await names('wide')).join() === 'wide-1,wide-2');
    await there.until(kinds.statefulSets, 'wide', 'has two', ({ status }) => status?.readyReplicas === 2);
    assert.deepEqual(await names('wide'), ['wide-1', 'wide-2']);
    await there.merge(kinds.persistentVolumeClaims, 'data-wide-0', { metadata: { finalizers: null } });
    await rolledOut('wide');
  });
});

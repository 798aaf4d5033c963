import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { type KubeObject, kinds } from '@wherry/client';
import type { PersistentVolume, PersistentVolumeClaim, Pod, StorageClass } from '@wherry/kubeapi';
import { eventually } from '../../test/cluster.ts';
import { WorkloadCluster } from '../../test/workload-cluster.ts';

let there: WorkloadCluster;
before(async () => {
  there = await WorkloadCluster.start();
});
after(() => there.close());

const { persistentVolumeClaims: claims, persistentVolumes: volumes, storageClasses, pods } = kinds;

const claimSpec = (more: Partial<PersistentVolumeClaim['spec']> = {}) => ({
  spec: { accessModes: ['ReadWriteOnce' as const], resources: { requests: { storage: '1Gi' } }, ...more },
});
const makeClaim = (name: string, more: Partial<PersistentVolumeClaim['spec']> = {}) =>
  there.create(claims, name, claimSpec(more));
const makeVolume = (name: string, more: Partial<PersistentVolume['spec']> = {}, labels = {}) =>
  there.cluster.client.resource(volumes).create({
    ...{ apiVersion: 'v1', kind: 'PersistentVolume', metadata: { name, labels } },
    spec: {
      capacity: { storage: '1Gi' },
      accessModes: ['ReadWriteOnce'],
      hostPath: { path: `/nowhere/${name}` },
      storageClassName: '',
      ...more,
    },
  });
const makeClass = (name: string, more: Partial<StorageClass> = {}) =>
  there.cluster.client.resource(storageClasses).create({
    ...{ apiVersion: 'storage.k8s.io/v1', kind: 'StorageClass', metadata: { name }, provisioner: 'a/b' },
    ...more,
  });
const makePod = (name: string, claimName: string) =>
  there.create(pods, name, {
    spec: {
      containers: [{ name: 'main', image: 'busybox:1' }],
      volumes: [{ name: 'data', persistentVolumeClaim: { claimName } }],
    },
  });
const claimIs = (name: string, phase: string) =>
  there.until(claims, name, `is ${phase}`, ({ status }) => status?.phase === phase);
async function volumeIs(name: string, phase: string): Promise<PersistentVolume> {
  let found: PersistentVolume | undefined;
  await eventually(`volume ${name} is ${phase}`, async () => {
    found = await there.cluster.client.resource(volumes).get({ name });
    return found.status?.phase === phase;
  });
  return found!;
}
const deleteClaim = (name: string) =>
  there.cluster.client.resource(claims).delete({ name, namespace: 'default' });
const gone = (type: typeof claims | typeof volumes, name: string) =>
  there.cluster.gone(type, name, type === claims ? 'default' : '');
const unscheduled = (name: string, pattern: RegExp) =>
  there.until(pods, name, `says ${pattern}`, ({ status }) =>
    (status?.conditions ?? []).some(
      ({ type, message = '' }) => type === 'PodScheduled' && pattern.test(message),
    ),
  );

describe('the persistent volume binder', () => {
  it('gives a claim the smallest volume that has its class, mode, size and labels, and both say so', async () => {
    const labels = { tier: 'fast' };
    await makeVolume('slow', {}, {});
    await makeVolume('large', { capacity: { storage: '9Gi' } }, labels);
    await makeVolume('small', { capacity: { storage: '800Mi' } }, labels);
    await makeVolume('blocks', { volumeMode: 'Block' }, labels);
    await makeVolume('classy', { storageClassName: 'c' }, labels);
    await makeVolume('fit', { capacity: { storage: '2Gi' } }, labels);
    for (const name of ['slow', 'large', 'small', 'blocks', 'classy', 'fit'])
      await volumeIs(name, 'Available');
    await makeClaim('fit', { storageClassName: '', selector: { matchLabels: labels } });
    const { spec, status, metadata } = await claimIs('fit', 'Bound');
    assert.deepEqual(
      [spec.volumeName, status?.capacity, status?.accessModes],
      ['fit', { storage: '2Gi' }, ['ReadWriteOnce']],
    );
    assert.equal(metadata.annotations?.['pv.kubernetes.io/bind-completed'], 'yes');
    const volume = await volumeIs('fit', 'Bound');
    assert.deepEqual(
      [volume.spec.claimRef?.name, volume.spec.claimRef?.uid, volume.metadata.annotations],
      ['fit', metadata.uid, { 'pv.kubernetes.io/bound-by-controller': 'yes' }],
    );
    await volumeIs('large', 'Available');
  });

  it('keeps a volume for the claim that it names, and a claim for the volume that it names', async () => {
    const claimRef = { namespace: 'default', name: 'kept' };
    await makeVolume('kept', { capacity: { storage: '50Gi' }, claimRef: claimRef as never });
    await makeVolume('other-50', { capacity: { storage: '50Gi' } });
    await makeClaim('stranger', {
      ...{ storageClassName: '', resources: { requests: { storage: '40Gi' } } },
      volumeName: 'kept',
    });
    await makeClaim('kept', { storageClassName: '' });
    assert.equal((await claimIs('kept', 'Bound')).spec.volumeName, 'kept');
    assert.equal((await claimIs('stranger', 'Pending')).spec.volumeName, 'kept');
    await makeClaim('named', { storageClassName: '', volumeName: 'other-50' });
    assert.equal((await claimIs('named', 'Bound')).spec.volumeName, 'other-50');
    // Nobody waits for an event to be stored: the claim may be written before it.
    const told = await eventually('an event says why', async () => {
      const events = await there.events('stranger');
      return events.length > 0 && events;
    });
    assert.deepEqual(told, ['FailedBinding: volume "kept" already bound to a different claim.']);
  });

  it('releases a retained volume with its claim, and fails what nobody can delete', async () => {
    const driven = { hostPath: undefined as never, csi: { driver: 'example.com', volumeHandle: 'driven' } };
    for (const [name, policy, more] of [
      ['retained', 'Retain', {}],
      ['driven', 'Delete', driven],
      ['undeletable', 'Delete', {}],
    ] as const) {
      await makeVolume(name, { persistentVolumeReclaimPolicy: policy, storageClassName: name, ...more });
      await makeClaim(name, { storageClassName: name });
      await claimIs(name, 'Bound');
      await deleteClaim(name);
      await gone(claims, name);
    }
    await volumeIs('retained', 'Released');
    assert.match(
      (await volumeIs('undeletable', 'Failed')).status?.message ?? '',
      /no deletable volume plugin matched/,
    );
    const { status } = await there.cluster.client.resource(volumes).get({ name: 'driven' });
    assert.equal(status?.phase, 'Released', 'its driver deletes it');
  });

  it('tells both a volume of devices and the claim for files that it is bound to why they stay apart', async () => {
    const { metadata } = await makeClaim('files', { storageClassName: 'apart' });
    const claimRef = { namespace: 'default', name: 'files', uid: metadata.uid };
    const volumeMode = 'Block';
    await makeVolume('devices', { storageClassName: 'apart', volumeMode, claimRef: claimRef as never });
    const both = 'due to incompatible volumeMode.';
    const ofVolume = `VolumeMismatch: Cannot bind PersistentVolume to requested PersistentVolumeClaim "files" ${both}`;
    const { items } = await eventually('the volume is told', async () => {
      const fieldSelector = 'involvedObject.name=devices';
      const list = await there.cluster.client.resource(kinds.events).listAll({ fieldSelector });
      return list.items.length > 0 && list;
    });
    assert.equal(`${items[0]?.reason}: ${items[0]?.message}`, ofVolume);
    const ofClaim = `VolumeMismatch: Cannot bind PersistentVolume "devices" to requested PersistentVolumeClaim ${both}`;
    await eventually(ofClaim, async () => (await there.events('files')).includes(ofClaim));
  });

  it('keeps a deleted class of volume attributes as long as a volume has it', async () => {
    const classes = there.cluster.client.resource(kinds.volumeAttributesClasses);
    const metadata = { name: 'fast' };
    await classes.create({ metadata, driverName: 'example.com', parameters: { speed: '9' } });
    await makeVolume('tuned', {
      storageClassName: 'tuned',
      volumeAttributesClassName: 'fast',
      hostPath: undefined as never,
      csi: { driver: 'example.com', volumeHandle: 'v' },
    });
    await classes.delete({ name: 'fast' });
    assert.deepEqual((await classes.get({ name: 'fast' })).metadata?.finalizers, [
      'kubernetes.io/vac-protection',
    ]);
    await there.cluster.client.resource(volumes).delete({ name: 'tuned' });
    await there.cluster.gone(kinds.volumeAttributesClasses, 'fast');
  });

  it('calls a claim lost whose volume is gone', async () => {
    await makeVolume('fleeting', { storageClassName: 'fleeting' });
    await makeClaim('fleeting', { storageClassName: 'fleeting' });
    await claimIs('fleeting', 'Bound');
    const resource = there.cluster.client.resource(volumes);
    await resource.delete({ name: 'fleeting' });
    const { metadata } = await resource.get({ name: 'fleeting' });
    assert.deepEqual(metadata.finalizers, ['kubernetes.io/pv-protection'], 'it stays while it is bound');
    await resource.patch({ name: 'fleeting', type: 'merge', patch: { metadata: { finalizers: null } } });
    const { status } = await claimIs('fleeting', 'Lost');
    assert.equal(status?.capacity, undefined);
  });

  it('asks the provisioner of the class, and says that it waits for it', async () => {
    await makeClass('elsewhere', { provisioner: 'example.com/disks' });
    await makeClaim('asked', { storageClassName: 'elsewhere' });
    const key = 'volume.kubernetes.io/storage-provisioner';
    await there.until(claims, 'asked', 'names its provisioner', ({ metadata }) =>
      [metadata.annotations?.[key]].includes('example.com/disks'),
    );
    await eventually('it is told', async () =>
      (await there.events('asked')).some((text) => text.startsWith('ExternalProvisioning: ')),
    );
  });
});

describe('a scheduler', () => {
  it('leaves pods pending whose claims are missing or wait for a volume', async () => {
    await makePod('missing', 'nothing');
    await unscheduled(
      'missing',
      /^0\/1 nodes are available: persistentvolumeclaim "nothing" not found\. preemption: /,
    );
    await makeClaim('unbound', { storageClassName: '', resources: { requests: { storage: '900Gi' } } });
    await makePod('unbound', 'unbound');
    await unscheduled('unbound', /: pod has unbound immediate PersistentVolumeClaims\. /);
    await makeVolume('at-last', { capacity: { storage: '900Gi' } });
    await there.until(pods, 'unbound', 'is placed', ({ spec }) => spec?.nodeName === 'node-1');
  });

  it('chooses a volume that its node reaches for a class that waits for a consumer', async () => {
    const on = (name: string) => ({
      required: {
        nodeSelectorTerms: [
          { matchExpressions: [{ key: 'kubernetes.io/hostname', operator: 'In' as const, values: [name] }] },
        ],
      },
    });
    const provisioner = 'kubernetes.io/no-provisioner';
    await makeClass('local', { provisioner, volumeBindingMode: 'WaitForFirstConsumer' });
    await makeVolume('far', { storageClassName: 'local', nodeAffinity: on('node-9') });
    await makeClaim('near', { storageClassName: 'local' });
    await makePod('near', 'near');
    await unscheduled('near', /1 node\(s\) didn't find available persistent volumes to bind/);
    await makeVolume('near', { storageClassName: 'local', nodeAffinity: on('node-1') });
    assert.equal((await claimIs('near', 'Bound')).spec.volumeName, 'near');
    await there.until(pods, 'near', 'is placed', ({ spec }) => spec?.nodeName === 'node-1');
  });

  it('has no volume made where the driver has too little room, and waits until it tells of more', async () => {
    const { client } = there.cluster;
    await client.resource(kinds.csiDrivers).create({
      ...{ apiVersion: 'storage.k8s.io/v1', kind: 'CSIDriver', metadata: { name: 'counting.test' } },
      spec: { storageCapacity: true },
    });
    await makeClass('counted', { provisioner: 'counting.test', volumeBindingMode: 'WaitForFirstConsumer' });
    const room = await client.resource(kinds.csiStorageCapacities).create({
      ...{ apiVersion: 'storage.k8s.io/v1', kind: 'CSIStorageCapacity' },
      ...{ metadata: { name: 'room', namespace: 'default' }, storageClassName: 'counted' },
      ...{ nodeTopology: {}, capacity: '900Mi' },
    });
    await makeClaim('counted', { storageClassName: 'counted' });
    await makePod('counted', 'counted');
    await unscheduled('counted', /1 node\(s\) did not have enough free storage/);
    await client.resource(kinds.csiStorageCapacities).update({ ...room, capacity: '1Gi' });
    const selected = 'volume.kubernetes.io/selected-node';
    await there.until(claims, 'counted', 'has its node', ({ metadata }) =>
      Boolean(metadata.annotations?.[selected]),
    );
  });
});

describe('protection', () => {
  it('keeps a claim until no pod on a node uses it', async () => {
    await makeVolume('guarded', { storageClassName: 'guarded' });
    await makeClaim('guarded', { storageClassName: 'guarded' });
    await makePod('guard', 'guarded');
    await there.until(pods, 'guard', 'runs', ({ status }) => status?.phase === 'Running');
    await deleteClaim('guarded');
    await makeClaim('bystander', { storageClassName: '' });
    await claimIs('bystander', 'Pending');
    assert.ok((await there.read(claims, 'guarded')).metadata.deletionTimestamp);
    await there.cluster.client.resource(pods).delete({ name: 'guard', namespace: 'default' });
    await gone(claims, 'guarded');
  });
});

describe('the provisioner of a node’s folders', () => {
  it('makes a folder for a claim without a class once its pod has a node, and removes it with the claim', async () => {
    await eventually('there is a default class', async () =>
      (await there.cluster.client.resource(storageClasses).list()).items.some(
        ({ metadata }) => metadata.name === 'standard',
      ),
    );
    const { spec } = await makeClaim('data');
    assert.equal(spec.storageClassName, 'standard');
    await eventually('it waits', async () =>
      (await there.events('data')).some((text) => /first consumer/.test(text)),
    );
    await makePod('user', 'data');
    await there.until(pods, 'user', 'runs', ({ status }) => status?.phase === 'Running');
    const { metadata } = await claimIs('data', 'Bound');
    const name = `pvc-${metadata.uid}`;
    assert.deepEqual([...there.folders], [name]);
    assert.deepEqual((await volumeIs(name, 'Bound')).spec.local, { path: `/volumes/${name}` });
    await there.cluster.client.resource(pods).delete({ name: 'user', namespace: 'default' });
    await deleteClaim('data');
    await gone(volumes, name);
    assert.deepEqual([...there.folders], []);
  });

  it('gives a claim that was there first the default class when there is one', async () => {
    const classes = there.cluster.client.resource(storageClasses);
    const mark = (value: string) => ({
      metadata: { annotations: { 'storageclass.kubernetes.io/is-default-class': value } },
    });
    await classes.patch({ name: 'standard', type: 'merge', patch: mark('false') });
    // Which class is the default one, the server's own watch tells it a moment later.
    const early = await eventually('a claim without a class', async () => {
      const name = `early-${crypto.randomUUID()}`;
      const { spec } = await makeClaim(name, { resources: { requests: { storage: '99Gi' } } });
      return spec.storageClassName === undefined && name;
    });
    await classes.patch({ name: 'standard', type: 'merge', patch: mark('true') });
    await there.until(claims, early, 'has a class', ({ spec }) => spec.storageClassName === 'standard');
  });

  it('makes the claim of an ephemeral volume, which goes with its pod', async () => {
    const volumeClaimTemplate = claimSpec();
    await there.create(pods, 'brief', {
      spec: {
        containers: [{ name: 'main', image: 'busybox:1' }],
        volumes: [{ name: 'scratch', ephemeral: { volumeClaimTemplate } }],
      },
    } as Partial<Pod>);
    await there.until(pods, 'brief', 'runs', ({ status }) => status?.phase === 'Running');
    const claim: KubeObject = await claimIs('brief-scratch', 'Bound');
    assert.equal(claim.metadata?.ownerReferences?.[0]?.name, 'brief');
    await there.cluster.client.resource(pods).delete({ name: 'brief', namespace: 'default' });
    await gone(claims, 'brief-scratch');
    await eventually('its folder is gone', async () => there.folders.size === 0);
  });

  it('says what a folder can not be', async () => {
    await makeClaim('shared', { accessModes: ['ReadWriteMany'] });
    await makePod('sharer', 'shared');
    await eventually('it is told', async () =>
      (await there.events('shared')).some((text) => /access mode ReadWriteMany is not supported/.test(text)),
    );
  });
});

import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { kinds } from '@wherry/client';
import type { Node, VolumeAttachment } from '@wherry/kubeapi';
import { eventually } from '../../test/cluster.ts';
import { WorkloadCluster } from '../../test/workload-cluster.ts';
import { attachmentName } from './attachment-name.ts';

const { volumeAttachments, nodes, pods } = kinds;
const driver = 'disks.example';
const csi = { driver, volumeHandle: 'disk-1' };
const unique = `kubernetes.io/csi/${driver}^disk-1`;
let there: WorkloadCluster;

before(async () => {
  there = await WorkloadCluster.start();
  const { client } = there.cluster;
  const annotations = { 'volumes.kubernetes.io/controller-managed-attach-detach': 'true' };
  const { metadata } = await client
    .resource(nodes)
    .patch({ name: 'node-1', type: 'merge', patch: { metadata: { annotations } } });
  assert.deepEqual(metadata.annotations, annotations);
  await client.resource(kinds.persistentVolumes).create({
    ...{ apiVersion: 'v1', kind: 'PersistentVolume', metadata: { name: 'disk' } },
    spec: {
      ...{ capacity: { storage: '1Gi' }, accessModes: ['ReadWriteOnce'], storageClassName: 'disks', csi },
      persistentVolumeReclaimPolicy: 'Retain',
    },
  });
  await there.create(kinds.persistentVolumeClaims, 'data', {
    spec: {
      ...{ accessModes: ['ReadWriteOnce'], storageClassName: 'disks' },
      resources: { requests: { storage: '1Gi' } },
    },
  });
  await there.until(
    kinds.persistentVolumeClaims,
    'data',
    'is bound',
    ({ status }) => status?.phase === 'Bound',
  );
});
after(() => there.close());

const name = attachmentName({ metadata: {}, spec: { csi } } as never, 'node-1');
const attachment = (): Promise<VolumeAttachment | undefined> =>
  there.cluster.client
    .resource(volumeAttachments)
    .get({ name })
    .catch(() => undefined);
const node = (): Promise<Node> => there.cluster.client.resource(nodes).get({ name: 'node-1' });
const onNode = (pod: string, nodeName = 'node-1') =>
  there.create(pods, pod, {
    spec: {
      ...{ nodeName, terminationGracePeriodSeconds: 0, containers: [{ name: 'main', image: 'busybox:1' }] },
      volumes: [{ name: 'data', persistentVolumeClaim: { claimName: 'data' } }],
    },
  });
/** What the driver's attacher writes. */
const attacher = (status: VolumeAttachment['status']) =>
  there.cluster.client
    .resource(volumeAttachments)
    .patch({ name, type: 'merge', subresource: 'status', patch: { status } });
/** What the node's kubelet writes. */
const uses = (volumesInUse: string[]) =>
  there.cluster.client
    .resource(nodes)
    .patch({ name: 'node-1', type: 'merge', subresource: 'status', patch: { status: { volumesInUse } } });
const told = (pod: string, message: string) =>
  eventually(`an event says ${message}`, async () =>
    (await there.events(pod)).some((event) => event === message),
  );

describe('a volume of a driver that has to attach it', () => {
  it('gets an attachment for the node of the pod that uses it, and why that fails is told', async () => {
    await onNode('one');
    const made = await eventually('there is an attachment', attachment);
    assert.deepEqual(made?.spec, {
      ...{ attacher: driver, nodeName: 'node-1', source: { persistentVolumeName: 'disk' } },
    });
    await uses([unique]);
    await attacher({ attached: false, attachError: { message: 'no slot' } });
    await told('one', 'FailedAttachVolume: AttachVolume.Attach failed for volume "disk" : no slot');
    await attacher({ attached: true });
    await told('one', 'SuccessfulAttachVolume: AttachVolume.Attach succeeded for volume "disk" ');
    await eventually('the node says so', async () => {
      const { status } = await node();
      return JSON.stringify(status?.volumesAttached) === JSON.stringify([{ name: unique, devicePath: '' }]);
    });
  });

  it('is not attached to a second node', async () => {
    const annotations = { 'volumes.kubernetes.io/controller-managed-attach-detach': 'true' };
    await there.cluster.client.resource(nodes).create({
      ...{ apiVersion: 'v1', kind: 'Node', metadata: { name: 'node-2', annotations }, spec: {} },
    });
    await onNode('two', 'node-2');
    await told(
      'two',
      'FailedAttachVolume: Multi-Attach error for volume "disk" Volume is already used by pod(s) one',
    );
    const { items } = await there.cluster.client.resource(volumeAttachments).list();
    assert.equal(items.length, 1);
    await there.cluster.client.resource(pods).delete({ name: 'two', namespace: 'default' });
  });

  it('stays after its pod as long as the node uses it, and goes then', async () => {
    await there.cluster.client.resource(pods).delete({ name: 'one', namespace: 'default' });
    await there.cluster.gone(pods, 'one', 'default');
    await new Promise((resolve) => setTimeout(resolve, 100));
    assert.equal((await attachment())?.metadata.deletionTimestamp, undefined);
    await uses([]);
    await eventually('it is gone', async () => (await attachment()) === undefined);
    await eventually('the node has it no more', async () => !(await node()).status?.volumesAttached?.length);
  });
});

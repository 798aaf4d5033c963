import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { kinds } from '@wherry/client';
import type { Pod, ResourceV1ResourceClaim } from '@wherry/kubeapi';
import { deviceClaimFinalizer } from '@wherry/podrules';
import { eventually } from '../../test/cluster.ts';
import { WorkloadCluster } from '../../test/workload-cluster.ts';

let there: WorkloadCluster;
before(async () => {
  there = await WorkloadCluster.start();
});
after(() => there.close());

const { pods, resourceClaims: claims, resourceClaimTemplates: templates } = kinds;
const spec = { devices: { requests: [{ name: 'gpu', exactly: { deviceClassName: 'gpus' } }] } };
const makePod = (name: string, resourceClaims: NonNullable<Pod['spec']>['resourceClaims'] & object) =>
  there.create(pods, name, {
    spec: { nodeName: 'node-1', containers: [{ name: 'main', image: 'busybox:1' }], resourceClaims },
  });
const madeFor = async (name: string) => {
  const isMade = ({ status }: Pod) => (status?.resourceClaimStatuses?.length ?? 0) > 0;
  const { status } = await there.until(pods, name, 'has its claim', isMade);
  return status!.resourceClaimStatuses![0]!.resourceClaimName!;
};
/** As a scheduler does it. */
async function allocate(name: string): Promise<ResourceV1ResourceClaim> {
  const resource = there.cluster.client.resource(claims);
  const claim = await resource.get({ name, namespace: 'default' });
  const finalizers = [deviceClaimFinalizer];
  const written = await resource.update({ ...claim, metadata: { ...claim.metadata, finalizers } });
  const results = [{ request: 'gpu', driver: 'd.example.com', pool: 'p', device: 'a' }];
  const status = { ...written.status, allocation: { devices: { results } } };
  return resource.update({ ...written, status }, { subresource: 'status' });
}
const finish = (name: string) => {
  const before = there.kubelet.outcomeOf;
  there.kubelet.outcomeOf = (pod) => (pod.metadata.name === name ? { exitCode: 0 } : before(pod));
  there.kubelet.again();
};

describe('the resource claim controller', () => {
  it('makes the claim of a template for a pod, frees it when the pod is done, and deletes it', async () => {
    const metadata = { labels: { tier: 'fast' } };
    await makePod('worker', [{ name: 'device', resourceClaimTemplateName: 'one' }]);
    await there.create(templates, 'one', { spec: { metadata, spec } });
    const name = await madeFor('worker');
    assert.match(name, /^worker-device-[a-z0-9]{5}$/);
    const claim = await there.read(claims, name);
    assert.deepEqual(claim.metadata.labels, { tier: 'fast' });
    assert.equal(claim.metadata.annotations?.['resource.kubernetes.io/pod-claim-name'], 'device');
    assert.equal(claim.metadata.ownerReferences?.[0]?.name, 'worker');
    assert.equal(claim.spec.devices?.requests?.[0]?.exactly?.count, 1);
    await allocate(name);
    await there.until(
      claims,
      name,
      'is kept for the pod',
      ({ status }) => status?.reservedFor?.[0]?.name === 'worker',
    );
    finish('worker');
    await there.cluster.gone(claims, name, 'default');
  });

  it('frees a claim of a user when its last pod is gone, and lets it be deleted', async () => {
    await there.create(claims, 'shared', { spec });
    await allocate('shared');
    await makePod('first', [{ name: 'device', resourceClaimName: 'shared' }]);
    await makePod('second', [{ name: 'device', resourceClaimName: 'shared' }]);
    const holds = (count: number) => (claim: ResourceV1ResourceClaim) =>
      (claim.status?.reservedFor?.length ?? 0) === count;
    await there.until(claims, 'shared', 'has two pods', holds(2));
    await there.cluster.client.resource(pods).delete({ name: 'first', namespace: 'default' });
    const { status } = await there.until(claims, 'shared', 'has one pod', holds(1));
    assert.ok(status?.allocation);
    await there.cluster.client.resource(claims).delete({ name: 'shared', namespace: 'default' });
    assert.ok((await there.read(claims, 'shared')).metadata.deletionTimestamp);
    await there.cluster.client.resource(pods).delete({ name: 'second', namespace: 'default' });
    await there.cluster.gone(claims, 'shared', 'default');
  });

  it('says of a pod that its template is missing', async () => {
    await makePod('hopeful', [{ name: 'device', resourceClaimTemplateName: 'none' }]);
    await eventually('an event tells of it', async () => {
      const { items } = await there.cluster.client.resource(kinds.events).list({ namespace: 'default' });
      return items.some(
        ({ reason, message }) =>
          reason === 'FailedResourceClaimCreation' &&
          message ===
            'PodResourceClaim device: resource claim template "none": resourceclaimtemplate.resource.k8s.io "none" not found',
      );
    });
  });
});

describe('the scheduler with claims on devices', () => {
  it('gives a device to one pod after the other, each once its claim is made', async () => {
    const { client } = there.cluster;
    await client.resource(kinds.deviceClasses).create({
      ...{ apiVersion: 'resource.k8s.io/v1', kind: 'DeviceClass', metadata: { name: 'gpus' } },
      spec: { selectors: [{ cel: { expression: 'device.attributes["d.example.com"].kind == "gpu"' } }] },
    });
    await there.create(templates, 'gpu', { spec: { spec } });
    const makeWaiting = (name: string) =>
      there.create(pods, name, {
        spec: {
          containers: [{ name: 'main', image: 'busybox:1' }],
          resourceClaims: [{ name: 'device', resourceClaimTemplateName: 'gpu' }],
        },
      });
    const waits = ({ status }: Pod) =>
      (status?.conditions ?? []).some(({ message }) =>
        message?.startsWith('0/1 nodes are available: 1 cannot allocate all claims. still not schedulable, '),
      );
    const isPlaced = ({ spec: its }: Pod) => its?.nodeName === 'node-1';
    await makeWaiting('one');
    await there.until(pods, 'one', 'waits for a device', waits);
    await client.resource(kinds.resourceSlices).create({
      ...{ apiVersion: 'resource.k8s.io/v1', kind: 'ResourceSlice', metadata: { name: 'devices' } },
      spec: {
        ...{ driver: 'd.example.com', nodeName: 'node-1' },
        pool: { name: 'node-1', generation: 1, resourceSliceCount: 1 },
        devices: [
          { name: 'disk', attributes: { kind: { string: 'disk' } } },
          { name: 'gpu', attributes: { kind: { string: 'gpu' } } },
        ],
      },
    });
    await there.until(pods, 'one', 'has its device', isPlaced);
    const { metadata, status } = await there.read(claims, await madeFor('one'));
    assert.deepEqual(status?.allocation?.devices?.results, [
      { request: 'gpu', driver: 'd.example.com', pool: 'node-1', device: 'gpu' },
    ]);
    assert.deepEqual(
      status?.reservedFor?.map(({ resource, name }) => [resource, name]),
      [['pods', 'one']],
    );
    assert.ok(metadata.finalizers?.includes(deviceClaimFinalizer));
    await makeWaiting('two');
    await there.until(pods, 'two', 'waits for the device of the other', waits);
    finish('one');
    await there.until(pods, 'two', 'has its device', isPlaced);
  });
});

describe('the eviction from tainted devices', () => {
  it('deletes a pod whose device gets a NoExecute taint, with a condition and an event', async () => {
    const { client } = there.cluster;
    const slices = client.resource(kinds.resourceSlices);
    const isMarked = ({ metadata }: Pod) => metadata.deletionTimestamp !== undefined;
    await there.merge(pods, 'two', { metadata: { finalizers: ['example.com/look'] } });
    const { spec: before } = await slices.get({ name: 'devices' });
    const devices = before.devices!.map((each) => ({
      ...each,
      ...(each.name === 'gpu' ? { taints: [{ key: 'broken', effect: 'NoExecute' as const }] } : {}),
    }));
    await slices.patch({ name: 'devices', type: 'merge', patch: { spec: { devices } } });
    const { status } = await there.until(pods, 'two', 'is on its way out', isMarked);
    const condition = status?.conditions?.find(({ type }) => type === 'DisruptionTarget');
    assert.equal(condition?.reason, 'DeletionByDeviceTaintManager');
    const tainted = (await slices.get({ name: 'devices' })).spec.devices![1]!.taints![0]!;
    assert.ok(Date.parse(tainted.timeAdded ?? ''), 'the server says since when');
    await eventually('an event tells of it', async () =>
      (await there.events('two')).includes('DeviceTaintManagerEviction: Marking for deletion'),
    );
    await there.merge(pods, 'two', { metadata: { finalizers: null } });
    await there.cluster.gone(pods, 'two', 'default');
  });
});

/** Devices by the names of extended resources, and devices that are made ready, beside a real API server. */
import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import { kinds } from '@wherry/client';
import type { Device, Pod, ResourceV1ResourceClaim } from '@wherry/kubeapi';
import { eventually } from '../../../../test/cluster.ts';
import { WorkloadCluster } from '../../../../test/workload-cluster.ts';

let there: WorkloadCluster;
const { pods, resourceClaims: claims, resourceSlices, deviceClasses } = kinds;
const gpu = 'example.com/gpu';
const driver = 'd.example.com';

before(async () => {
  there = await WorkloadCluster.start();
  await there.cluster.client.resource(deviceClasses).create({
    ...{ apiVersion: 'resource.k8s.io/v1', kind: 'DeviceClass', metadata: { name: 'gpus' } },
    spec: { extendedResourceName: gpu, selectors: [{ cel: { expression: `device.driver == "${driver}"` } }] },
  });
});
after(() => there.close());

async function tell(...devices: Device[]): Promise<void> {
  const resource = there.cluster.client.resource(resourceSlices);
  const spec = { driver, nodeName: 'node-1', pool: { name: 'node-1', generation: 1, resourceSliceCount: 1 } };
  const { items } = await resource.list();
  for (const { metadata } of items) await resource.delete({ name: metadata.name! });
  await resource.create({
    ...{ apiVersion: 'resource.k8s.io/v1', kind: 'ResourceSlice', metadata: { name: 'devices' } },
    spec: { ...spec, devices },
  });
}

const makePod = (name: string, requests: Record<string, string>, more: object = {}) =>
  there.create(pods, name, {
    spec: {
      containers: [{ name: 'main', image: 'busybox:1', resources: { requests, limits: requests } }],
      ...more,
    },
  });
const isPlaced = ({ spec }: Pod) => spec?.nodeName === 'node-1';
const placed = (name: string) => there.until(pods, name, 'has its node', isPlaced);
const refused = (name: string, message: RegExp) =>
  there.until(pods, name, 'is refused', ({ status }) =>
    (status?.conditions ?? []).some(
      (each) => each.type === 'PodScheduled' && message.test(each.message ?? ''),
    ),
  );
const devicesIn = ({ status }: ResourceV1ResourceClaim) =>
  status?.allocation?.devices?.results?.map(({ device }) => device);
async function finish(name: string): Promise<void> {
  await there.cluster.client.resource(pods).delete({ name, namespace: 'default' });
  await there.cluster.gone(pods, name, 'default');
}
const noneLeft = () =>
  eventually('no claim is left', async () => {
    const { items } = await there.cluster.client.resource(claims).list({ namespace: 'default' });
    return items.length === 0;
  });

describe('a pod that asks for devices by the name of an extended resource', () => {
  beforeEach(() => tell({ name: 'a' }, { name: 'b' }));

  it('gets them by a claim of its own, which goes when the pod is done', async () => {
    await makePod('own', { [gpu]: '2' });
    const { status } = await placed('own');
    const { resourceClaimName, requestMappings } = status!.extendedResourceClaimStatus!;
    assert.match(resourceClaimName, /^own-extended-resources-[a-z0-9]{5}$/);
    assert.deepEqual(requestMappings, [
      { containerName: 'main', resourceName: gpu, requestName: 'container-0-request-0' },
    ]);
    const claim = await there.read(claims, resourceClaimName);
    assert.deepEqual(devicesIn(claim), ['a', 'b']);
    assert.equal(claim.metadata.annotations?.['resource.kubernetes.io/extended-resource-claim'], 'true');
    const [owner] = claim.metadata.ownerReferences!;
    assert.deepEqual([owner!.kind, owner!.name, owner!.controller], ['Pod', 'own', true]);
    assert.deepEqual(
      claim.status?.reservedFor?.map(({ resource, name }) => [resource, name]),
      [['pods', 'own']],
    );
    await makePod('next', { 'deviceclass.resource.kubernetes.io/gpus': '1' });
    await refused('next', /1 cannot allocate all claims/);
    const before = there.kubelet.outcomeOf;
    there.kubelet.outcomeOf = (pod) => (pod.metadata.name === 'own' ? { exitCode: 0 } : before(pod));
    there.kubelet.again();
    await placed('next');
    await there.cluster.gone(claims, resourceClaimName, 'default');
    await Promise.all(['own', 'next'].map(finish));
    await noneLeft();
  });

  it('waits for a class that names it, and no claim is made where a device plug-in brings it', async () => {
    await makePod('early', { 'example.com/late': '1' });
    await refused('early', /1 Insufficient example.com\/late/);
    const resource = there.cluster.client.resource(deviceClasses);
    await resource.create({
      ...{ apiVersion: 'resource.k8s.io/v1', kind: 'DeviceClass', metadata: { name: 'late' } },
      spec: { extendedResourceName: 'example.com/late' },
    });
    const { status } = await placed('early');
    assert.ok(status?.extendedResourceClaimStatus);
    await finish('early');
    await noneLeft();
    const told = (amount: string) => ({ status: { allocatable: { 'example.com/late': amount } } });
    const nodes = there.cluster.client.resource(kinds.nodes);
    const patch = (amount: string) =>
      nodes.patch({ name: 'node-1', subresource: 'status', type: 'merge', patch: told(amount) });
    await patch('1');
    await makePod('brought', { 'example.com/late': '1' });
    assert.equal((await placed('brought')).status?.extendedResourceClaimStatus, undefined);
    await makePod('second', { 'example.com/late': '1' });
    await refused('second', /1 Insufficient example.com\/late/);
    await Promise.all(['brought', 'second'].map(finish));
    await noneLeft();
    await patch('0');
  });

  it('is charged for them once, and claims of users are charged for the same name', async () => {
    const name = `requests.${gpu}`;
    const hard = { [name]: '2', 'count/resourceclaims.resource.k8s.io': '9' };
    await there.create(kinds.resourceQuotas, 'bound', { spec: { hard } });
    const usedIs = (devices: string, count: string) =>
      there.until(kinds.resourceQuotas, 'bound', `has ${devices} devices in use`, ({ status }) => {
        const used = status?.used ?? {};
        return used[name] === devices && used['count/resourceclaims.resource.k8s.io'] === count;
      });
    await usedIs('0', '0');
    await makePod('charged', { [gpu]: '1' });
    await placed('charged');
    await usedIs('1', '1');
    const asking = (count: number) => ({
      spec: { devices: { requests: [{ name: 'r', exactly: { deviceClassName: 'gpus', count } }] } },
    });
    await there.create(claims, 'one', asking(1));
    await usedIs('2', '2');
    await assert.rejects(
      there.create(claims, 'more', asking(1)),
      /exceeded quota: bound, requested: requests\.example\.com\/gpu=1/,
    );
    await there.cluster.client.resource(claims).delete({ name: 'one', namespace: 'default' });
    await usedIs('1', '1');
    await finish('charged');
    await noneLeft();
    await usedIs('0', '0');
    await there.cluster.client.resource(kinds.resourceQuotas).delete({ name: 'bound', namespace: 'default' });
  });

  it('begins anew where an earlier attempt left its claim behind', async () => {
    const gated = { schedulingGates: [{ name: 'example.com/wait' }] };
    const { metadata } = await makePod('again', { [gpu]: '1' }, gated);
    const annotations = { 'resource.kubernetes.io/extended-resource-claim': 'true' };
    const owner = { apiVersion: 'v1', kind: 'Pod', name: 'again', uid: metadata.uid!, controller: true };
    await there.create(claims, 'leftover', {
      metadata: {
        ...{ name: 'leftover', annotations, ownerReferences: [owner] },
        finalizers: ['resource.kubernetes.io/delete-protection'],
      },
      spec: { devices: { requests: [{ name: 'r', exactly: { deviceClassName: 'gpus' } }] } },
    });
    await there.merge(pods, 'again', { spec: { schedulingGates: null } });
    const { status } = await placed('again');
    assert.match(status!.extendedResourceClaimStatus!.resourceClaimName, /^again-extended-resources-/);
    await there.cluster.gone(claims, 'leftover', 'default');
    await finish('again');
    await noneLeft();
  });
});

describe('a pod whose devices are made ready after they were chosen', () => {
  const slow = (name: string): Device => ({
    ...{ name, bindingConditions: [`${driver}/attached`], bindingFailureConditions: [`${driver}/broken`] },
  });
  const isGiven = (claim: ResourceV1ResourceClaim) => devicesIn(claim) !== undefined;
  const say = async (name: string, type: string) => {
    const { status } = await there.read(claims, name);
    const { pool, device } = status!.allocation!.devices!.results![0]!;
    const lastTransitionTime = '2026-01-01T00:00:00Z';
    const condition = { type, status: 'True', reason: 'Said', message: 'by the driver', lastTransitionTime };
    const resource = there.cluster.client.resource(claims);
    await resource.patch({
      ...{ name, namespace: 'default', subresource: 'status', type: 'merge' },
      patch: { status: { devices: [{ driver, pool, device, conditions: [condition] }] } },
    });
  };
  const makeClaim = (name: string) =>
    there.create(claims, name, {
      spec: { devices: { requests: [{ name: 'r', exactly: { deviceClassName: 'gpus' } }] } },
    });
  const resourceClaims = (name: string) => ({ resourceClaims: [{ name: 'd', resourceClaimName: name }] });

  it('goes to its node once they are, and others are looked at meanwhile', async () => {
    await tell(slow('a'));
    await makeClaim('slow');
    await makePod('patient', {}, resourceClaims('slow'));
    const { status } = await there.until(claims, 'slow', 'has its device', isGiven);
    const [result] = status!.allocation!.devices!.results!;
    assert.deepEqual(result!.bindingConditions, [`${driver}/attached`]);
    await makePod('hasty', {});
    await placed('hasty');
    assert.equal((await there.read(pods, 'patient')).spec?.nodeName, undefined);
    await eventually('an event tells of it', async () =>
      (await there.events('patient')).includes(
        'BindingConditionsPending: waiting for binding conditions for device on node node-1',
      ),
    );
    await say('slow', `${driver}/attached`);
    await placed('patient');
    await Promise.all(['patient', 'hasty'].map(finish));
    await there.cluster.client.resource(claims).delete({ name: 'slow', namespace: 'default' });
    await noneLeft();
  });

  it('gets others where they fail, and is told why', async () => {
    await tell(slow('a'), slow('b'));
    await makeClaim('moody');
    await makePod('lucky', {}, resourceClaims('moody'));
    await there.until(claims, 'moody', 'has its device', isGiven);
    await say('moody', `${driver}/broken`);
    await eventually('an event tells of it', async () =>
      (await there.events('lucky')).some((each) =>
        each.startsWith(
          'FailedScheduling: device binding failed: claim=moody, reason=Said, message="by the driver"',
        ),
      ),
    );
    const isFresh = ({ status }: ResourceV1ResourceClaim) =>
      status?.allocation !== undefined && !status.devices?.length && status.reservedFor?.length === 1;
    await there.until(claims, 'moody', 'has a device again', isFresh);
    await say('moody', `${driver}/attached`);
    await placed('lucky');
    await finish('lucky');
    await there.cluster.client.resource(claims).delete({ name: 'moody', namespace: 'default' });
    await noneLeft();
  });

  it('is no pod any more: its wait ends, and its device is free', async () => {
    await tell(slow('a'));
    await makePod('fleeting', { [gpu]: '1' });
    await there.until(pods, 'fleeting', 'has a claim', ({ status }) =>
      Boolean(status?.extendedResourceClaimStatus),
    );
    await finish('fleeting');
    await noneLeft();
    await makePod('heir', { [gpu]: '1' });
    const { status } = await there.until(pods, 'heir', 'has a claim', (pod) =>
      Boolean(pod.status?.extendedResourceClaimStatus),
    );
    await say(status!.extendedResourceClaimStatus!.resourceClaimName, `${driver}/attached`);
    await placed('heir');
    await finish('heir');
    await noneLeft();
  });
});

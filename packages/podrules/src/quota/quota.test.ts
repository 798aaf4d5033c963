import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type {
  Pod,
  PodSpec,
  ResourceQuota,
  ResourceQuotaSpec,
  ResourceV1ResourceClaim,
} from '@wherry/kubeapi';
import { quotaMeasure, usageOf } from './quota.ts';

const nowMs = Date.parse('2026-01-01T00:01:00Z');
const measureOf = (path: string) => {
  const [group = '', plural = ''] = path.split('/');
  return quotaMeasure({ group, plural })!;
};
const used = (path: string, spec: ResourceQuotaSpec, ...objects: object[]) => {
  const quota: ResourceQuota = { metadata: {}, spec };
  const amounts = usageOf(quota, measureOf(path), objects, { nowMs });
  return Object.fromEntries([...amounts].map(([name, amount]) => [name, amount.toString()]));
};
const hardOf = (...names: string[]) => ({ hard: Object.fromEntries(names.map((name) => [name, '9'])) });
const pod = (
  requests: Record<string, string>,
  more: Partial<PodSpec> = {},
  rest: Partial<Pod> = {},
): Pod => ({
  metadata: {},
  spec: { containers: [{ name: 'main', image: 'x', resources: { requests } }], ...more },
  ...rest,
});

describe('what pods use of a quota', () => {
  it('is what they ask for, under each of its names', () => {
    const names = [
      'cpu',
      'requests.cpu',
      'limits.cpu',
      'requests.memory',
      'requests.ephemeral-storage',
      'pods',
    ];
    const extended = ['requests.example.com/gpu', 'hugepages-2Mi', 'requests.hugepages-2Mi'];
    const first = pod({ cpu: '500m', memory: '1Gi', 'example.com/gpu': '2', 'hugepages-2Mi': '4Mi' });
    const second = pod({ cpu: '1', 'ephemeral-storage': '1Gi' });
    assert.deepEqual(used('/pods', hardOf(...names, ...extended), first, second), {
      ...{ cpu: '1500m', 'requests.cpu': '1500m', 'limits.cpu': '0', 'requests.memory': '1Gi' },
      ...{ 'requests.ephemeral-storage': '1Gi', pods: '2' },
      ...{ 'requests.example.com/gpu': '2', 'hugepages-2Mi': '4Mi', 'requests.hugepages-2Mi': '4Mi' },
    });
  });

  it('ends with the pod, which is counted as an object for as long as it is there', () => {
    const over = pod({ cpu: '1' }, {}, { status: { phase: 'Failed' } });
    const lost = pod(
      { cpu: '1' },
      {},
      {
        metadata: { deletionTimestamp: '2026-01-01T00:00:00Z', deletionGracePeriodSeconds: 30 },
      },
    );
    const going = pod(
      { cpu: '1' },
      {},
      {
        metadata: { deletionTimestamp: '2026-01-01T00:00:50Z', deletionGracePeriodSeconds: 30 },
      },
    );
    const quota = hardOf('cpu', 'pods', 'count/pods');
    assert.deepEqual(used('/pods', quota, over, lost, going), { cpu: '1', pods: '1', 'count/pods': '3' });
  });

  it('counts in the quota’s scopes only, of which all must hold', () => {
    const term = { topologyKey: 'x', namespaces: ['other'] };
    const all = [
      pod({}),
      pod({ cpu: '1' }, { priorityClassName: 'high' }),
      pod({ cpu: '1' }, { activeDeadlineSeconds: 5 as never, priorityClassName: 'low' }),
      pod(
        { cpu: '1' },
        { affinity: { podAntiAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [term] } } },
      ),
    ];
    const inScopes = (...scopes: NonNullable<ResourceQuotaSpec['scopes']>) =>
      used('/pods', { ...hardOf('pods'), scopes }, ...all)['pods'];
    const selected = (operator: 'In' | 'NotIn' | 'Exists' | 'DoesNotExist', ...values: string[]) => {
      const matchExpressions = [{ scopeName: 'PriorityClass' as const, operator, values }];
      return used('/pods', { ...hardOf('pods'), scopeSelector: { matchExpressions } }, ...all)['pods'];
    };
    assert.deepEqual(
      [
        inScopes('BestEffort'),
        inScopes('NotBestEffort'),
        inScopes('Terminating'),
        inScopes('NotTerminating'),
      ],
      ['1', '3', '1', '3'],
    );
    assert.equal(inScopes('NotBestEffort', 'NotTerminating'), '2');
    assert.equal(inScopes('CrossNamespacePodAffinity'), '1');
    assert.deepEqual(
      [selected('In', 'high'), selected('NotIn', 'high'), selected('Exists'), selected('DoesNotExist')],
      ['1', '3', '2', '2'],
    );
  });

  it('must be said by each container where cpu or memory is bounded', () => {
    const measure = measureOf('/pods');
    const two = pod({ cpu: '1' }, { initContainers: [{ name: 'first', image: 'x' }] });
    const names = ['requests.cpu', 'limits.memory', 'pods', 'requests.ephemeral-storage'];
    assert.equal(
      measure.missing?.(names, two),
      'must specify limits.memory for: first,main; requests.cpu for: first',
    );
    const whole = pod({}, { resources: { requests: { cpu: '1' } } });
    assert.equal(measure.missing?.(names, whole), undefined);
  });
});

describe('what other objects use of a quota', () => {
  it('is node ports and load balancers of services', () => {
    const quota = hardOf('services', 'services.nodeports', 'services.loadbalancers');
    const ports = [{ port: 1 }, { port: 2, nodePort: 30_000 }];
    const balancer = { metadata: {}, spec: { type: 'LoadBalancer', ports } };
    const bare = { metadata: {}, spec: { ...balancer.spec, allocateLoadBalancerNodePorts: false } };
    const amounts = used(
      '/services',
      quota,
      { metadata: {}, spec: { type: 'NodePort', ports } },
      balancer,
      bare,
    );
    assert.deepEqual(amounts, { services: '3', 'services.nodeports': '5', 'services.loadbalancers': '2' });
  });

  it('is storage of claims, by class too, whole bytes, and what a resize has taken already', () => {
    const ofFast = 'fast.storageclass.storage.k8s.io/requests.storage';
    const claim = (storage: string, more: object = {}, status: object = {}) => ({
      metadata: {},
      spec: { resources: { requests: { storage } }, ...more },
      status,
    });
    const grown = claim('1Gi', {}, { allocatedResources: { storage: '3Gi' } });
    const amounts = used(
      ...(['/persistentvolumeclaims', hardOf('requests.storage', ofFast, 'persistentvolumeclaims')] as const),
      ...[claim('1.5', { storageClassName: 'fast' }), grown],
    );
    assert.deepEqual(amounts, {
      ...{ 'requests.storage': '3221225474', [ofFast]: '2', persistentvolumeclaims: '2' },
    });
  });

  it('is the devices that a resource claim may get at most', () => {
    const requests = [
      { name: 'a', exactly: { deviceClassName: 'gpu', allocationMode: 'ExactCount', count: 2 } },
      {
        name: 'b',
        firstAvailable: [
          { name: 'x', deviceClassName: 'gpu', allocationMode: 'ExactCount', count: 4 },
          { name: 'y', deviceClassName: 'gpu', allocationMode: 'ExactCount', count: 3 },
          { name: 'z', deviceClassName: 'nic', allocationMode: 'All' },
        ],
      },
    ];
    const [gpu, nic] = ['gpu', 'nic'].map((name) => `${name}.deviceclass.resource.k8s.io/devices`);
    const claim = { metadata: {}, spec: { devices: { requests } } };
    assert.deepEqual(used('resource.k8s.io/resourceclaims', hardOf(gpu!, nic!), claim), {
      [gpu!]: '6',
      [nic!]: '32',
    });
  });

  describe('by the names of extended resources that device classes stand for', () => {
    const gpu = 'requests.example.com/gpu';
    const implicit = 'requests.deviceclass.resource.kubernetes.io/gpus';
    const devices = 'gpus.deviceclass.resource.k8s.io/devices';
    const deviceClasses = [
      { metadata: { name: 'gpus' }, spec: { extendedResourceName: 'example.com/gpu' } },
      { metadata: { name: 'nics' }, spec: {} },
    ];
    const claimOf = (name: string, count: number, metadata: object = {}): ResourceV1ResourceClaim => {
      const exactly = { deviceClassName: 'gpus', allocationMode: 'ExactCount' as const, count };
      return { metadata: { name, ...metadata }, spec: { devices: { requests: [{ name: 'r', exactly }] } } };
    };
    const owned = (creationTimestamp?: string) => ({
      ...(creationTimestamp ? { creationTimestamp } : {}),
      annotations: { 'resource.kubernetes.io/extended-resource-claim': 'true' },
      ownerReferences: [{ apiVersion: 'v1', kind: 'Pod', name: 'own', uid: 'u', controller: true }],
    });
    const owner = (more: Partial<Pod> = {}) =>
      pod({ 'example.com/gpu': '2' }, {}, { metadata: { name: 'own', uid: 'u' }, ...more });
    const usedBy = (
      claims: ResourceV1ResourceClaim[],
      its: Pod | undefined,
      names = [gpu, implicit, devices],
    ) => {
      const view = { deviceClasses, claims, podNamed: (name: string) => (name === 'own' ? its : undefined) };
      const quota: ResourceQuota = { metadata: {}, spec: hardOf(...names) };
      const measure = measureOf('resource.k8s.io/resourceclaims');
      const amounts = usageOf(quota, measure, claims, { nowMs, view });
      return Object.fromEntries([...amounts].map(([name, amount]) => [name, amount.toString()]));
    };

    it('counts the devices of users’ claims, where a class names the resource', () => {
      const claims = [claimOf('a', 2), claimOf('b', 1)];
      assert.deepEqual(usedBy(claims, undefined), { [gpu]: '3', [implicit]: '3', [devices]: '3' });
      const others = ['requests.example.com/fpga', 'requests.deviceclass.resource.kubernetes.io/nics'];
      assert.deepEqual(usedBy(claims, undefined, [...others, 'requests.cpu']), {});
      assert.deepEqual(used('resource.k8s.io/resourceclaims', hardOf(gpu), claimOf('a', 2)), {});
    });

    it('does not count once more what the pod of a scheduler’s claim is charged for', () => {
      const none = { [gpu]: '0', [implicit]: '2', [devices]: '2' };
      assert.deepEqual(usedBy([claimOf('c', 2, owned())], owner()), none);
      assert.deepEqual(usedBy([claimOf('c', 3, owned())], owner()), {
        ...none,
        [gpu]: '1',
        [implicit]: '3',
        [devices]: '3',
      });
      const whole = { ...none, [gpu]: '2' };
      assert.deepEqual(usedBy([claimOf('c', 2, owned())], undefined), whole);
      assert.deepEqual(
        usedBy([claimOf('c', 2, owned())], owner({ metadata: { name: 'own', uid: 'v' } })),
        whole,
      );
      assert.deepEqual(usedBy([claimOf('c', 2, { ...owned(), annotations: {} })], owner()), whole);
    });

    it('charges for all claims but one of those that say they are for the same pod', () => {
      const first = claimOf('z', 2, owned('2026-01-01T00:00:00Z'));
      const second = claimOf('b', 2, owned('2026-01-01T00:00:09Z'));
      const third = claimOf('a', 2, owned());
      const sums = { [gpu]: '4', [implicit]: '6', [devices]: '6' };
      assert.deepEqual(usedBy([first, second, third], owner()), sums);
      const extendedResourceClaimStatus = { resourceClaimName: 'none', requestMappings: [] };
      assert.equal(usedBy([first], owner({ status: { extendedResourceClaimStatus } }))[gpu], '2');
    });
  });

  it('is their number for all else, and nothing for events', () => {
    const names = hardOf('secrets', 'count/secrets', 'configmaps');
    assert.deepEqual(used('/secrets', names, {}, {}), { secrets: '2', 'count/secrets': '2' });
    assert.deepEqual(used('example.com/widgets', hardOf('count/widgets.example.com'), {}), {
      'count/widgets.example.com': '1',
    });
    assert.deepEqual(used('/secrets', { ...names, scopes: ['BestEffort'] }, {}), {
      secrets: '0',
      'count/secrets': '0',
    });
    assert.equal(quotaMeasure({ group: '', plural: 'events' }), undefined);
  });
});

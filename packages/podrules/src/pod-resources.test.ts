import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { PodCondition } from '@wherry/kubeapi';
import { type Amounts, type PodView, unitsOf } from './amounts.ts';
import {
  amountsForSpreading,
  amountsInForce,
  amountsOfNewcomer,
  podAmount,
  podLimit,
} from './pod-resources.ts';

const container = (cpu: string, restartPolicy?: 'Always') => ({
  name: `c${cpu}`,
  resources: { requests: { cpu }, limits: { cpu } },
  ...(restartPolicy ? { restartPolicy } : {}),
});

const told = (amounts: Amounts) =>
  Object.fromEntries([...amounts].map(([name, amount]) => [name, unitsOf(name, amount)]));
const inForce = (pod: PodView) => told(amountsInForce(pod));

describe('podAmount', () => {
  it('is the larger of the containers together and each init container at its turn, sidecars included', () => {
    const spec = {
      initContainers: [container('100m', 'Always'), container('900m')],
      containers: [container('200m'), container('300m')],
      overhead: { cpu: '10m' },
    };
    assert.equal(podAmount({ spec }, 'requests', 'cpu').toString(), '1010m');
  });

  it('is what the pod itself declares where it does', () => {
    const spec = { containers: [container('200m')], resources: { requests: { cpu: '1' } } };
    assert.equal(podAmount({ spec }, 'requests', 'cpu').toString(), '1');
    assert.equal(podAmount({ spec }, 'limits', 'cpu').toString(), '200m');
  });

  it('adds the overhead to a limit only where there is one', () => {
    const spec = { containers: [container('200m')], overhead: { cpu: '10m', memory: '1Mi' } };
    assert.equal(podAmount({ spec }, 'limits', 'cpu').toString(), '210m');
    assert.equal(podAmount({ spec }, 'limits', 'memory').toString(), '0');
    assert.equal(podAmount({ spec }, 'requests', 'memory').toString(), '1Mi');
  });
});

describe('podLimit', () => {
  it('is there only when every container has one, or the pod', () => {
    const spec = { containers: [container('200m'), { name: 'free' }] };
    assert.equal(podLimit({ spec }, 'cpu'), undefined);
    assert.equal(
      podLimit({ spec: { ...spec, resources: { limits: { cpu: '2' } } } }, 'cpu')?.toString(),
      '2',
    );
    assert.equal(podLimit({ spec: { containers: [container('1')] } }, 'cpu')?.toString(), '1');
  });
});

it('a resize counts by the most of what is asked for, granted and in use, one that can never be not at all', () => {
  const resources = { requests: { cpu: '300m', memory: '1Gi' } };
  const status = {
    name: 'main',
    resources: { requests: { cpu: '500m' } },
    allocatedResources: { cpu: '200m', memory: '2Gi' },
  };
  const of = (conditions: PodCondition[] = []) =>
    ({
      spec: { containers: [{ name: 'main', resources }] },
      status: { containerStatuses: [status], conditions },
    }) as unknown as PodView;
  assert.deepEqual(inForce(of()), { cpu: 500, memory: 2 * 1024 ** 3 });
  const larger = { ...of(), spec: { containers: [{ name: 'main', resources: { requests: { cpu: '2' } } }] } };
  assert.equal(inForce(larger as PodView)['cpu'], 2000);
  const infeasible = [{ type: 'PodResizePending', status: 'True', reason: 'Infeasible' }];
  const never = { ...larger, status: of(infeasible).status } as PodView;
  assert.equal(inForce(never)['cpu'], 500);
  const whole = { resources: { requests: { cpu: '100m' } }, allocatedResources: { cpu: '100m' } };
  const ofPod = { ...larger, status: { ...larger.status, ...whole } } as PodView;
  assert.equal(
    inForce(ofPod)['cpu'],
    2000,
    'what the status tells of the pod as a whole counts where that declares it',
  );
});

it('what a status tells of a pod as a whole counts only of what the pod asks for so', () => {
  const pod = {
    spec: { containers: [container('1')], resources: { requests: { cpu: '2' } } },
    status: { resources: { requests: { cpu: '3', memory: '1Gi' } } },
  };
  assert.deepEqual(told(amountsInForce(pod)), { cpu: 3000 });
});

it('the status of an init container that ends counts for nothing, that of a sidecar does', () => {
  const initContainerStatuses = [{ name: 'c1', resources: { requests: { cpu: '4' } } }] as never;
  const of = (first: ReturnType<typeof container>) => ({
    spec: { initContainers: [first], containers: [container('2')] },
    status: { initContainerStatuses },
  });
  assert.deepEqual(told(amountsInForce(of(container('1')))), { cpu: 2000 });
  assert.deepEqual(told(amountsInForce(of(container('1', 'Always')))), { cpu: 6000 });
});

it('a container without requests counts for a little unless the pod asks for some as a whole, which does not count before it has a node', () => {
  const mebibytes = (count: number) => count * 1024 ** 2;
  const containers = [{ name: 'free' }, container('300m')];
  const plain = { spec: { containers } };
  const whole = { spec: { containers, resources: { requests: { memory: '64Mi' } } } };
  assert.deepEqual(told(amountsForSpreading(plain)), { cpu: 400, memory: mebibytes(400) });
  assert.deepEqual(told(amountsForSpreading(whole)), { cpu: 300, memory: mebibytes(64) });
  assert.deepEqual(told(amountsOfNewcomer(whole)), { cpu: 400, memory: mebibytes(400) });
});

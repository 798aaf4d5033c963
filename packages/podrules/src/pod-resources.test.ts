import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { PodCondition } from '@wherry/kubeapi';
import { type PodView, unitsOf } from './amounts.ts';
import { amountsInForce, podAmount, podLimit } from './pod-resources.ts';

const container = (cpu: string, restartPolicy?: 'Always') => ({
  name: `c${cpu}`,
  resources: { requests: { cpu }, limits: { cpu } },
  ...(restartPolicy ? { restartPolicy } : {}),
});

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
  const told = (pod: PodView) =>
    Object.fromEntries([...amountsInForce(pod)].map(([name, amount]) => [name, unitsOf(name, amount)]));
  assert.deepEqual(told(of()), { cpu: 500, memory: 2 * 1024 ** 3 });
  const larger = { ...of(), spec: { containers: [{ name: 'main', resources: { requests: { cpu: '2' } } }] } };
  assert.equal(told(larger as PodView)['cpu'], 2000);
  const infeasible = [{ type: 'PodResizePending', status: 'True', reason: 'Infeasible' }];
  const never = { ...larger, status: of(infeasible).status } as PodView;
  assert.equal(told(never)['cpu'], 500);
  const whole = { resources: { requests: { cpu: '100m' } }, allocatedResources: { cpu: '100m' } };
  const ofPod = { ...larger, status: { ...larger.status, ...whole } } as PodView;
  assert.equal(
    told(ofPod)['cpu'],
    2000,
    'what the status tells of the pod as a whole counts where that declares it',
  );
});

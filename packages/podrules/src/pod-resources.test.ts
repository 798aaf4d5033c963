import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { podAmount, podLimit } from './pod-resources.ts';

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

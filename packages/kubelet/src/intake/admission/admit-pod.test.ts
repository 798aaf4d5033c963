import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { PodSpec } from '@wherry/kubeapi';
import { container, pod } from '../../../test/builders.ts';
import type { PressureType } from '../../observation/pressure/pressure-state.ts';
import { type AdmissionFacts, refusalOf } from './admit-pod.ts';

function refusal(
  spec: Partial<PodSpec>,
  more: Partial<AdmissionFacts> = {},
  status: object = {},
): string | undefined {
  return refusalOf({
    pod: { ...pod({ containers: [container('a')], ...spec }), status },
    others: [],
    allocatable: { cpu: '2', memory: '1Gi', pods: '10' },
    node: undefined,
    allowedUnsafeSysctls: [],
    host: { isSelinuxEnforcing: false, hasAppArmor: true },
    pressures: new Set(),
    isOfPlugIns: (resource) => resource === 'example.com/plugged',
    isShuttingDown: false,
    ...more,
  })?.reason;
}

const asking = (requests: Record<string, string>) => ({
  containers: [container('a', { resources: { requests } })],
});
const under = (...pressures: PressureType[]) => ({ pressures: new Set(pressures) });

describe('refusalOf', () => {
  it('keeps pods off a node whose disk or process numbers run out, critical ones excepted', () => {
    assert.equal(refusal({}, under('DiskPressure')), 'Evicted');
    assert.equal(refusal(asking({ cpu: '1' }), under('PIDPressure')), 'Evicted');
    assert.equal(refusal({ priority: 2_000_000_000 }, under('DiskPressure')), undefined);
  });

  it('keeps only those who ask for nothing off a node short of memory', () => {
    const tolerations = [{ key: 'node.kubernetes.io/memory-pressure', operator: 'Exists' as const }];
    assert.equal(refusal({}, under('MemoryPressure')), 'Evicted');
    assert.equal(refusal({ tolerations }, under('MemoryPressure')), undefined);
    assert.equal(refusal(asking({ cpu: '1' }), under('MemoryPressure')), undefined);
    assert.equal(refusal(asking({ cpu: '1' }), under('MemoryPressure', 'DiskPressure')), 'Evicted');
  });

  it('leaves pods alone that had begun before the kubelet started', () => {
    assert.equal(refusal({}, under('DiskPressure'), { startTime: '2026-01-01T00:00:00Z' }), undefined);
  });

  it('does not count what a pod has by a claim for its extended resources', () => {
    const node = { metadata: {}, spec: {}, status: { allocatable: { 'example.com/gpu': '0' } } };
    const spec = {
      containers: [container('a', { resources: { requests: { 'example.com/gpu': '2', cpu: '1' } } })],
    };
    const claimed = (containerName: string) => ({
      extendedResourceClaimStatus: {
        resourceClaimName: 'c',
        requestMappings: [{ containerName, resourceName: 'example.com/gpu', requestName: 'r' }],
      },
    });
    const facts = { node: node as AdmissionFacts['node'] & object };
    assert.equal(refusal(spec, facts, claimed('a')), undefined);
    assert.equal(refusal(spec, facts, claimed('b')), 'OutOfexample.com/gpu');
    assert.equal(refusal(spec, { ...facts, allocatable: { cpu: '0' } }, claimed('a')), 'OutOfcpu');
  });

  it('counts every resource that the node has, and no other', () => {
    const node = {
      metadata: {},
      spec: {},
      status: { allocatable: { 'example.com/gpu': '1' } },
    } as AdmissionFacts['node'];
    assert.equal(refusal(asking({ 'example.com/gpu': '2' }), { node }), 'OutOfexample.com/gpu');
    assert.equal(refusal(asking({ 'example.com/gpu': '1' }), { node }), undefined);
    assert.equal(refusal(asking({ 'example.com/fpga': '1' }), { node }), undefined);
    assert.equal(refusal(asking({ memory: '2Gi' })), 'OutOfmemory');
  });

  it('leaves resources of device plug-ins to those', () => {
    const status = { allocatable: { 'example.com/plugged': '0', 'example.com/gpu': '0' } };
    const node = { metadata: {}, spec: {}, status } as AdmissionFacts['node'];
    assert.equal(refusal(asking({ 'example.com/plugged': '1' }), { node }), undefined);
    assert.equal(refusal(asking({ 'example.com/gpu': '1' }), { node }), 'OutOfexample.com/gpu');
  });

  it('keeps a pod off a host port that another has', () => {
    const onPort = (hostPort: number, ...more: string[]) => ({
      containers: [container('a', { ports: [{ containerPort: 80, hostPort }] })],
      ...Object.fromEntries(more.map((name) => [name, true])),
    });
    const other = { ...pod(onPort(8080)), metadata: { name: 'b', namespace: 'default', uid: 'b' } };
    assert.equal(refusal(onPort(8080), { others: [other] }), 'NodePorts');
    assert.equal(refusal(onPort(8081), { others: [other] }), undefined);
    assert.equal(
      refusal(onPort(8080), { others: [{ ...other, status: { phase: 'Succeeded' } }] }),
      undefined,
    );
  });

  it('tells first what the node has too little of, then that it is the wrong one', () => {
    const taints = [{ key: 'gone', effect: 'NoExecute' as const }];
    const node = {
      metadata: { labels: { zone: 'a' } },
      spec: { taints },
      status: {},
    } as AdmissionFacts['node'];
    const elsewhere = { nodeSelector: { zone: 'b' } };
    assert.equal(refusal({ ...asking({ cpu: '3' }), ...elsewhere }, { node }), 'OutOfcpu');
    assert.equal(refusal({ ...asking({ cpu: '1' }), ...elsewhere }, { node }), 'NodeAffinity');
    assert.equal(refusal(asking({ cpu: '1' }), { node }), 'TaintToleration');
    assert.equal(
      refusal({ ...asking({ cpu: '3' }), os: { name: 'windows' } }, { node }),
      'PodOSNotSupported',
    );
  });

  it('keeps out a pod that is labelled for another system', () => {
    const labelled = pod({ containers: [container('a')] });
    const metadata = { ...labelled.metadata, labels: { 'kubernetes.io/os': 'windows' } };
    const reason = refusal({}, { pod: { ...labelled, metadata } });
    assert.equal(reason, 'PodOSSelectorNodeLabelDoesNotMatch');
  });

  it('names the reason of upstream for what it does not support', () => {
    assert.equal(
      refusal({ volumes: [{ name: 'v', iscsi: { targetPortal: 's', iqn: 'i', lun: 0 } }] }),
      'PodFeatureUnsupported',
    );
  });
});

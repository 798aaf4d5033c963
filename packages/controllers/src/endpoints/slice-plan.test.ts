import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { EndpointSlice, Endpoints, Node, Pod, Service } from '@wherry/kubeapi';
import { planSlices } from './endpoint-slices.ts';
import { planMirror } from './mirrored-slices.ts';
import type { SlicePlan } from './slice-plan.ts';

const nodes = new Map([['node-1', { metadata: { name: 'node-1' } } as Node]]);
const podOf = (number: number): Pod => ({
  metadata: { name: `web-${number}`, namespace: 'default', uid: `pod-${number}` },
  spec: { nodeName: 'node-1', containers: [] },
  status: { podIPs: [{ ip: `10.88.${Math.floor(number / 250)}.${1 + (number % 250)}` }] },
});
const podsFrom = (first: number, count: number) =>
  Array.from({ length: count }, (_, index) => podOf(first + index));
const serviceOf = (ports: number[] = [80]): Service => ({
  metadata: { name: 'web', namespace: 'default', uid: 'web-1' },
  spec: {
    ...{ clusterIP: '10.96.0.9', ipFamilies: ['IPv4'], selector: { app: 'web' } },
    ports: ports.map((port) => ({ name: `p${port}`, port, targetPort: port })),
  },
});
const plan = (service: Service, pods: readonly Pod[], slices: readonly EndpointSlice[] = []) =>
  planSlices(service, { pods, nodes, slices });
/** What the server has after a plan; what was made is named in order. */
function after(
  { create, update, remove }: SlicePlan,
  slices: readonly EndpointSlice[] = [],
): EndpointSlice[] {
  const made = create.map((slice, index) => ({
    ...slice,
    metadata: { ...slice.metadata, name: `web-${slices.length + index}` },
  }));
  const gone = new Set(remove.map(({ metadata }) => metadata.name));
  const changed = new Map(update.map((slice) => [slice.metadata.name, slice]));
  const left = slices.filter(({ metadata }) => !gone.has(metadata.name));
  return [...left.map((slice) => changed.get(slice.metadata.name) ?? slice), ...made];
}
const sizes = (slices: readonly EndpointSlice[]) =>
  Object.fromEntries(slices.map(({ metadata, endpoints = [] }) => [metadata.name, endpoints.length]));
const numbers = ({ create, update, remove }: SlicePlan) => [create.length, update.length, remove.length];

/** Slices of these numbers of pods. */
function slicesOf(...counts: number[]): { pods: Pod[]; slices: EndpointSlice[] } {
  const pods: Pod[] = [];
  const slices: EndpointSlice[] = [];
  for (const count of counts) {
    const own = podsFrom(pods.length, count);
    pods.push(...own);
    slices.push(
      ...after(plan(serviceOf(), own)).map((slice) => ({
        ...slice,
        metadata: { ...slice.metadata, name: `web-${slices.length}` },
      })),
    );
  }
  return { pods, slices };
}

describe('endpoints that are new', () => {
  it('come into the slice that they fill best, and the others stay as they are', () => {
    const { pods, slices } = slicesOf(20, 60, 90);
    const next = plan(serviceOf(), [...pods, ...podsFrom(170, 30)], slices);
    assert.deepEqual(numbers(next), [0, 1, 0]);
    assert.deepEqual(sizes(after(next, slices)), { 'web-0': 20, 'web-1': 90, 'web-2': 90 });
  });

  it('fill the fullest of the slices that change anyhow first', () => {
    const { pods, slices } = slicesOf(40, 95);
    const left = pods.filter((_, index) => index !== 0 && index !== 40);
    const next = plan(serviceOf(), [...left, ...podsFrom(135, 10)], slices);
    assert.deepEqual(sizes(after(next, slices)), { 'web-0': 43, 'web-1': 100 });
  });

  it('get slices of their own by the hundred, and what is left over fits in beside others', () => {
    const { pods, slices } = slicesOf(20);
    const next = plan(serviceOf(), [...pods, ...podsFrom(20, 150)], slices);
    assert.deepEqual(sizes(after(next, slices)), { 'web-0': 70, 'web-1': 100 });
  });
});

describe('slices of a service', () => {
  it('keep their names when its ports change, and when its last pod goes', () => {
    const { pods, slices } = slicesOf(3);
    const moved = plan(serviceOf([81]), pods, slices);
    assert.deepEqual(numbers(moved), [0, 1, 0]);
    assert.deepEqual(
      moved.update[0]?.ports?.map(({ port }) => port),
      [81],
    );
    const emptied = plan(serviceOf(), [], slices);
    assert.deepEqual(numbers(emptied), [0, 1, 0]);
    assert.deepEqual(sizes(after(emptied, slices)), { 'web-0': 0 });
    assert.deepEqual(numbers(plan(serviceOf(), [], after(emptied, slices))), [0, 0, 0]);
  });

  it('keep what somebody else noted in their annotations', () => {
    const { pods, slices } = slicesOf(3);
    const noted = slices.map((slice) => ({
      ...slice,
      metadata: { ...slice.metadata, annotations: { 'example.com/note': 'kept' } },
    }));
    assert.deepEqual(numbers(plan(serviceOf(), pods, noted)), [0, 0, 0]);
    const fewer = plan(serviceOf(), pods.slice(1), noted);
    assert.deepEqual(fewer.update[0]?.metadata.annotations, { 'example.com/note': 'kept' });
  });

  it('go when they are only said to be, and nobody or another service owns them', () => {
    const { pods, slices } = slicesOf(3);
    const { ownerReferences: _owner, ...metadata } = slices[0]!.metadata;
    const stray = { ...slices[0]!, metadata: { ...metadata, name: 'stray' } };
    const next = plan(serviceOf(), pods, [...slices, stray]);
    assert.deepEqual([numbers(next), next.remove[0]?.metadata.name], [[0, 0, 1], 'stray']);
  });
});

describe('Endpoints that are mirrored', () => {
  const ports = [{ port: 80, protocol: 'TCP' as const }];
  const ipOf = (number: number) => `192.0.${Math.floor(number / 250)}.${1 + (number % 250)}`;
  const written = (ready: number, unready: number): Endpoints => {
    const from = (first: number, count: number) =>
      Array.from({ length: count }, (_, index) => ({ ip: ipOf(first + index) }));
    const subset = { addresses: from(0, ready), notReadyAddresses: from(ready, unready), ports };
    return { metadata: { name: 'web', namespace: 'default', uid: 'web-1' }, subsets: [subset] };
  };

  it('are one slice, however many of the thousand that one may have', () => {
    const { create } = planMirror(written(700, 200), []);
    assert.deepEqual(
      create.map(({ endpoints }) => endpoints?.length),
      [900],
    );
    assert.equal(planMirror(written(900, 200), []).create[0]?.endpoints?.length, 1_000);
  });

  it('keep the name of their slice when their ports change', () => {
    const slices = after(planMirror(written(2, 0), []));
    const moved = written(2, 0);
    moved.subsets![0]!.ports = [{ port: 81, protocol: 'TCP' }];
    assert.deepEqual(numbers(planMirror(moved, slices)), [0, 1, 0]);
  });
});

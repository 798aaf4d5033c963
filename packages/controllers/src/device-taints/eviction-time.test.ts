import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type {
  DeviceTaint,
  DeviceToleration,
  Pod,
  ResourceSlice,
  ResourceV1ResourceClaim,
} from '@wherry/kubeapi';
import { evictionTimeMs } from './eviction-time.ts';
import { SlicePools } from './slice-pools.ts';

const timeAdded = '2026-11-25T12:00:00Z';
const addedMs = Date.parse(timeAdded);
const broken: DeviceTaint = { key: 'd.io/broken', effect: 'NoExecute', timeAdded };
const pod: Pod = {
  metadata: { name: 'pod', namespace: 'default', uid: 'pod' },
  spec: {
    nodeName: 'n',
    containers: [{ name: 'main' }],
    resourceClaims: [{ name: 'gpu', resourceClaimName: 'c' }],
  },
};
const slice = (generation: number, taints: DeviceTaint[]): ResourceSlice => ({
  metadata: { name: `s${generation}` },
  spec: {
    ...{ driver: 'd.io', nodeName: 'n', pool: { name: 'p', generation, resourceSliceCount: 1 } },
    devices: [{ name: 'a', taints }, { name: 'b' }],
  },
});
const claim = (tolerations: DeviceToleration[] = [], device = 'a'): ResourceV1ResourceClaim => ({
  metadata: { name: 'c', namespace: 'default', uid: 'c' },
  spec: {},
  status: {
    reservedFor: [{ resource: 'pods', name: 'pod', uid: 'pod' }],
    allocation: { devices: { results: [{ request: 'r', driver: 'd.io', pool: 'p', device, tolerations }] } },
  },
});
const poolsOf = (...slices: ResourceSlice[]) => {
  const pools = new SlicePools();
  for (const each of slices) pools.put(each);
  return pools;
};
const timeOf = (its: ResourceV1ResourceClaim, ...slices: ResourceSlice[]) =>
  evictionTimeMs(pod, { claims: new Map([['default/c', its]]), pools: poolsOf(...slices) });

describe('the time at which a pod has to go from a device', () => {
  it('is when a NoExecute taint came, of its own device alone', () => {
    assert.equal(timeOf(claim(), slice(1, [broken])), addedMs);
    assert.equal(timeOf(claim([], 'b'), slice(1, [broken])), undefined);
    assert.equal(timeOf(claim(), slice(1, [{ ...broken, effect: 'NoSchedule' }])), undefined);
  });

  it('is later by the shortest time that the claim bears it, and never comes where it bears it for ever', () => {
    const bears = (more: Partial<DeviceToleration>): DeviceToleration => ({
      ...{ key: 'd.io/broken', operator: 'Exists', effect: 'NoExecute' },
      ...more,
    });
    const some = claim([bears({ tolerationSeconds: 60 }), bears({ tolerationSeconds: 30 })]);
    assert.equal(timeOf(some, slice(1, [broken])), addedMs + 30_000);
    assert.equal(timeOf(claim([bears({ tolerationSeconds: -5 })]), slice(1, [broken])), addedMs);
    assert.equal(timeOf(claim([bears({})]), slice(1, [broken])), undefined);
    const other = claim([bears({ key: 'd.io/slow' })]);
    assert.equal(timeOf(other, slice(1, [broken])), addedMs);
  });

  it('follows the newest generation of the pool', () => {
    assert.equal(timeOf(claim(), slice(2, []), slice(1, [broken])), undefined);
    assert.equal(timeOf(claim(), slice(1, []), slice(2, [broken])), addedMs);
  });

  it('does not come for a claim that others use, and not before the pod has a node', () => {
    const others = { ...claim(), status: { ...claim().status, reservedFor: [] } };
    assert.equal(timeOf(others, slice(1, [broken])), undefined);
    const waiting = { ...pod, spec: { ...pod.spec!, nodeName: '' } };
    const view = { claims: new Map([['default/c', claim()]]), pools: poolsOf(slice(1, [broken])) };
    assert.equal(evictionTimeMs(waiting, view), undefined);
  });
});

it('a pool is what its slices say of it now, whichever pool they told of before', () => {
  const pools = new SlicePools();
  const named = (name: string, pool: string): ResourceSlice => {
    const { spec } = slice(1, []);
    return { metadata: { name }, spec: { ...spec, pool: { ...spec.pool, name: pool } } };
  };
  const names = (pool: string) => [...pools.of('d.io', pool)].map(({ metadata }) => metadata?.name);
  pools.put(named('x', 'p'));
  pools.put(named('y', 'p'));
  pools.put(named('z', 'q'));
  assert.deepEqual([names('p'), names('q'), [...pools.of('e.io', 'p')]], [['x', 'y'], ['z'], []]);
  pools.put(named('x', 'q'), named('x', 'p'));
  pools.delete(named('y', 'p'));
  assert.deepEqual([names('p'), names('q')], [[], ['z', 'x']]);
});

import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import type { KubeClient } from '@wherry/client';
import { FakeClock } from '@wherry/clock';
import { silentLogger } from '@wherry/telemetry';
import { pod } from '../../../test/builders.ts';
import { deviceHealthMs, deviceHealthWordsMax, sliceGraceMs } from '../../limits.ts';
import type { AssignedPod } from '../../pod/assigned-pod.ts';
import { versionOf } from './claim-driver.ts';
import { ClaimViews } from './claim-views.ts';
import { DeviceHealths } from './device-health.ts';
import { PreparedClaims } from './prepared-claim.ts';
import { SliceWiper } from './slice-wiper.ts';

const folder = mkdtempSync(join(tmpdir(), 'device-health-'));
after(() => rmSync(folder, { recursive: true }));

const place = { driver: 'd', pool: 'p', device: 'a' };
const word = (health: 0 | 1 | 2, message = '', healthCheckTimeoutSeconds = 0) => ({
  device: { poolName: 'p', deviceName: 'a' },
  ...{ health, message, healthCheckTimeoutSeconds, lastUpdatedTime: 0 },
});

describe('the health of devices', () => {
  it('is what their driver said last, outlives the kubelet, and is unknown when that is long ago', () => {
    const clock = new FakeClock();
    const path = join(folder, 'dra_health_state');
    const healths = new DeviceHealths(path, clock);
    assert.deepEqual(healths.told('d', [word(1)]), [place]);
    assert.deepEqual(healths.told('d', [word(1)]), []);
    assert.deepEqual(healths.told('d', [word(2, 'x'.repeat(2_000))]), [place]);
    const next = new DeviceHealths(path, clock);
    next.load();
    assert.equal(next.of(place).health, 'Unhealthy');
    assert.equal(next.of(place).message.length, deviceHealthWordsMax);
    clock.advance(deviceHealthMs + 1);
    assert.deepEqual(next.of(place), { health: 'Unknown', message: '' });
    assert.deepEqual(next.told('d', []), [place]);
    next.told('d', [word(1, '', 60)]);
    clock.advance(deviceHealthMs + 1);
    assert.equal(next.of(place).health, 'Healthy');
    next.forget('d');
    assert.equal(next.of(place).health, 'Unknown');
  });
});

describe('what containers have of claims', () => {
  const device = (name: string, ...requestNames: string[]) => ({
    ...{ poolName: 'p', deviceName: name, shareId: '', requestNames },
    cdiDeviceIds: [`example.com/unit=${name}`],
  });
  const claims = new PreparedClaims();
  claims.set({
    ...{ uid: 'u', name: 'claim', namespace: 'default', pods: new Set(['pod']) },
    devices: new Map([['d', [device('a', 'one'), device('b', 'two'), device('c')]]]),
  });
  const views = new ClaimViews(claims, { of: () => ({ health: 'Healthy', message: '' }) });
  const resourceClaims = [{ name: 'mine', resourceClaimName: 'claim' }];
  const made = pod({ containers: [], resourceClaims });
  const owner: AssignedPod = { ...made, metadata: { ...made.metadata, namespace: 'default' } };
  const asking = (...asked: { name: string; request?: string }[]) => ({
    name: 'main',
    resources: { claims: asked },
  });

  it('is what the requests that they name got, those of an alternative too, and what no request got alone', () => {
    const names = (...asked: { name: string; request?: string }[]) =>
      views
        .cdiDevicesOf(owner, asking(...asked))
        .map((name) => name.slice(-1))
        .join('');
    assert.equal(names({ name: 'mine' }), 'abc');
    assert.equal(names({ name: 'mine', request: 'one' }), 'ac');
    assert.equal(names({ name: 'mine', request: 'two/fast' }), 'bc');
    assert.equal(names({ name: 'mine', request: 'one' }, { name: 'mine', request: 'two' }), 'acb');
    assert.equal(names(), '');
  });

  it('is told in their status by claim and request, and which pods use a device is known', () => {
    const [status] = views.statusesOf(owner, asking({ name: 'mine', request: 'one' }));
    assert.equal(status?.name, 'claim:mine/one');
    assert.deepEqual(status?.resources?.[0], { resourceID: 'example.com/unit=a', health: 'Healthy' });
    assert.deepEqual([...views.usersOf([place])], ['pod']);
    assert.deepEqual([...views.usersOf([{ ...place, device: 'z' }])], []);
  });

  it('a claim that was not prepared keeps its container from being made', () => {
    const strange = {
      ...owner,
      spec: { ...owner.spec, resourceClaims: [{ name: 'mine', resourceClaimName: 'x' }] },
    };
    assert.throws(
      () => views.cdiDevicesOf(strange, asking({ name: 'mine' })),
      /claim info for ResourceClaim x/,
    );
  });

  it('extended resources that a scheduler gave devices for count for the container that asks for them', () => {
    const requestMappings = [{ containerName: 'main', resourceName: 'example.com/gpu', requestName: 'two' }];
    const status = { extendedResourceClaimStatus: { resourceClaimName: 'claim', requestMappings } };
    const extended: AssignedPod = { ...owner, spec: { containers: [] }, status };
    const requests = { 'example.com/gpu': '1' };
    const given = views.cdiDevicesOf(extended, { name: 'main', resources: { requests } });
    assert.deepEqual(given, ['example.com/unit=b', 'example.com/unit=c']);
    assert.deepEqual(views.cdiDevicesOf(extended, { name: 'other', resources: { requests } }), []);
  });
});

it('slices of a driver that is away go when it stays away, and stay when it is back', async () => {
  const clock = new FakeClock();
  const wiped: string[] = [];
  const client = {
    resource: () => ({
      get: async () => ({}),
      deleteCollection: async ({ fieldSelector }: { fieldSelector: string }) =>
        void wiped.push(fieldSelector),
    }),
  } as unknown as KubeClient;
  const { signal } = new AbortController();
  const wiper = new SliceWiper({ client, nodeName: 'n', clock, logger: silentLogger, signal });
  wiper.away('back.example.com');
  wiper.away('gone.example.com');
  await clock.advance(sliceGraceMs - 1);
  wiper.back('back.example.com');
  wiper.away('gone.example.com');
  await clock.advance(1);
  await new Promise((resolve) => setImmediate(resolve));
  assert.deepEqual(wiped, ['spec.nodeName=n,spec.driver=gone.example.com']);
  wiper.begin();
  await new Promise((resolve) => setImmediate(resolve));
  assert.equal(wiped[1], 'spec.nodeName=n');
});

it('of the versions that a plug-in names the first that is known is spoken, and none is refused', () => {
  assert.equal(versionOf(['v9.DRAPlugin', 'v1beta1.DRAPlugin', 'v1.DRAPlugin']), 'v1beta1.DRAPlugin');
  assert.throws(() => versionOf([]), /^Error: empty list of supported gRPC services/);
  assert.throws(
    () => versionOf(['v1alpha3.Node']),
    /none of services supported by the plugin \(\["v1alpha3.Node"\]\)/,
  );
});

import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'node:test';
import type { KubeClient } from '@wherry/client';
import { FakeClock } from '@wherry/clock';
import type { Pod, ResourceV1ResourceClaim } from '@wherry/kubeapi';
import { MetricsRegistry, silentLogger } from '@wherry/telemetry';
import { pod as podWith } from '../../../test/builders.ts';
import { SampleClaimDriver } from '../../../test/claim-driver.ts';
import { claimReconcileMs } from '../../limits.ts';
import type { AssignedPod } from '../../pod/assigned-pod.ts';
import { readClaimCheckpoint, writeClaimCheckpoint } from './claim-checkpoint.ts';
import { ClaimDrivers } from './claim-drivers.ts';
import { ClaimManager } from './claim-manager.ts';

const driverName = 'driver.example.com';
const { signal } = new AbortController();
let folder = '';
let path = '';
let clock: FakeClock;
let sample: SampleClaimDriver;
let drivers: ClaimDrivers;
let manager: ClaimManager;
const stored = new Map<string, ResourceV1ResourceClaim>();

/** Reads claims alone. */
const client = {
  resource: () => ({
    async get({ name }: { name: string }) {
      const claim = stored.get(name);
      if (!claim) throw new Error(`resourceclaims "${name}" not found`);
      return claim;
    },
  }),
} as unknown as KubeClient;

function connect(): void {
  const metrics = new MetricsRegistry();
  const [calls, operations] = ['calls', 'operations'].map((name) => metrics.histogram(name, name));
  const wiper = { away: () => {}, back: () => {} };
  drivers = new ClaimDrivers({ wiper, clock, durations: calls!, onAdded: () => {} });
  drivers.add(driverName, sample.endpoint, ['v1.DRAPlugin']);
  manager = new ClaimManager({
    ...{ path, client, clock, logger: silentLogger, durations: operations! },
    driver: (name) => drivers.get(name),
  });
}

/** As a kubelet that was killed, and started anew. */
function restart(): void {
  manager.close();
  drivers.close();
  connect();
}

function store(
  name: string,
  users: readonly AssignedPod[],
  more: Partial<ResourceV1ResourceClaim['status']> = {},
) {
  const results = [{ request: 'unit', driver: driverName, pool: 'p', device: 'd' }];
  const reservedFor = users.map(({ metadata }) => ({
    ...{ resource: 'pods', name: metadata.name, uid: metadata.uid },
  }));
  stored.set(name, {
    metadata: { name, namespace: 'default', uid: `u-${name}` },
    spec: {},
    status: { allocation: { devices: { results } }, reservedFor, ...more },
  } as ResourceV1ResourceClaim);
}

function using(name: string, ...claims: string[]): AssignedPod {
  const resourceClaims = claims.map((claim) => ({ name: claim, resourceClaimName: claim }));
  const made = podWith({ resourceClaims } as Pod['spec'] & object);
  return { ...made, metadata: { ...made.metadata, name, namespace: 'default', uid: `pod-${name}` } };
}

async function until(what: string, holds: () => boolean): Promise<void> {
  for (let turn = 0; turn < 400 && !holds(); turn += 1)
    await new Promise((resolve) => setTimeout(resolve, 5));
  assert.ok(holds(), what);
}

const uid = ({ metadata }: AssignedPod) => metadata.uid;
const noted = () => readClaimCheckpoint(path).map(({ name, pods }) => [name, [...pods].sort().join()]);

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'claims-'));
  path = join(folder, 'dra_manager_state');
  clock = new FakeClock();
  sample = new SampleClaimDriver(join(folder, 'driver.sock'));
  stored.clear();
  await sample.listen();
  connect();
});
afterEach(async () => {
  manager.close();
  drivers.close();
  await sample[Symbol.asyncDispose]();
  rmSync(folder, { recursive: true });
});

describe('claims of pods', () => {
  it('are prepared once for pods that come together, and unprepared with the last of them', async () => {
    const [a, b] = [using('a', 'shared'), using('b', 'shared')];
    store('shared', [a, b]);
    await Promise.all([manager.prepare(a, signal), manager.prepare(b, signal), manager.prepare(a, signal)]);
    assert.deepEqual(sample.calls, [['prepare', 'shared']]);
    assert.deepEqual(noted(), [['shared', 'pod-a,pod-b']]);
    await manager.unprepare(uid(a), signal);
    assert.deepEqual(sample.calls.length, 1);
    assert.deepEqual(noted(), [['shared', 'pod-b']]);
    await manager.unprepare(uid(b), signal);
    await manager.unprepare(uid(b), signal);
    assert.deepEqual(sample.calls.slice(1), [['unprepare', 'shared']]);
    assert.deepEqual(noted(), []);
  });

  it('are noted before their driver is asked, so that a kubelet that dies then has them unprepared', async () => {
    const a = using('a', 'one');
    store('one', [a]);
    const gate = Promise.withResolvers<void>();
    sample.gate = gate.promise;
    const abort = new AbortController();
    const dying = manager.prepare(a, abort.signal);
    await until('the driver is asked', () => sample.calls.length === 1);
    assert.deepEqual(noted(), [['one', 'pod-a']]);
    abort.abort();
    await assert.rejects(dying);
    gate.resolve();
    restart();
    manager.keep(() => false);
    await until('it is unprepared', () => noted().length === 0);
    assert.deepEqual(sample.calls[1], ['unprepare', 'one']);
  });

  it('are asked for again by a kubelet that starts anew, and have their devices once', async () => {
    const [a, b] = [using('a', 'one'), using('b', 'one')];
    store('one', [a, b]);
    await manager.prepare(a, signal);
    restart();
    assert.equal(manager.claims.get('default', 'one')?.devices.get(driverName)?.length, 1);
    await manager.prepare(b, signal);
    assert.deepEqual(sample.calls, [
      ['prepare', 'one'],
      ['prepare', 'one'],
    ]);
    assert.equal(manager.claims.get('default', 'one')?.devices.get(driverName)?.length, 1);
  });

  it('that are not reserved for a pod, have no devices or were made for another pod are refused, and not noted', async () => {
    const a = using('a', 'one');
    const refusal = (words: RegExp, pod = a) => assert.rejects(manager.prepare(pod, signal), words);
    await refusal(/^Error: prepare dynamic resources: fetch ResourceClaim one: .*not found/);
    store('one', []);
    await refusal(/pod a \(pod-a\) is not allowed to use ResourceClaim one \(u-one\)$/);
    store('one', [a], { allocation: undefined });
    await refusal(/ResourceClaim one: not allocated$/);
    store('one', [a]);
    const template = { name: 'unit', resourceClaimTemplateName: 't' };
    const made = { ...a, spec: { ...a.spec, resourceClaims: [template] } };
    await refusal(/pod "default\/a": ResourceClaim not created yet$/, made);
    const status = { resourceClaimStatuses: [{ name: 'unit', resourceClaimName: 'one' }] };
    await refusal(/ResourceClaim default\/one was not created for Pod default\/a \(Pod is not owner\)$/, {
      ...made,
      status,
    });
    assert.deepEqual(sample.calls, []);
    assert.deepEqual(noted(), []);
  });

  it('wait for a driver that is away, by its name, and keep nothing of a pod that goes meanwhile', async () => {
    const a = using('a', 'one');
    store('one', [a]);
    drivers.remove(driverName, sample.endpoint);
    await assert.rejects(manager.prepare(a, signal), /DRA driver driver.example.com is not registered$/);
    assert.deepEqual([...manager.waiting], ['pod-a']);
    await manager.unprepare(uid(a), signal);
    assert.deepEqual([[...manager.waiting], noted()], [[], []]);
  });

  it('stay noted as long as their driver fails to unprepare them', async () => {
    const a = using('a', 'one');
    store('one', [a]);
    sample.failure = 'busy';
    const failed = /NodePrepareResources failed for ResourceClaim one: busy$/;
    await assert.rejects(manager.prepare(a, signal), failed);
    await manager.prepare(a, signal);
    sample.failure = 'busy';
    await assert.rejects(manager.unprepare(uid(a), signal), /NodeUnprepareResources failed .*: busy$/);
    assert.deepEqual(noted(), [['one', 'pod-a']]);
    manager.keep(() => true);
    manager.keep(() => false);
    assert.deepEqual(noted(), [['one', 'pod-a']]);
    await clock.advance(claimReconcileMs);
    manager.keep(() => false);
    await until('it is unprepared', () => noted().length === 0);
  });

  it('of an earlier claim of the same name keep the new one waiting', async () => {
    const a = using('a', 'one');
    store('one', [a]);
    const before = {
      uid: 'other',
      name: 'one',
      namespace: 'default',
      pods: new Set(['gone']),
      devices: new Map(),
    };
    writeClaimCheckpoint(path, [before]);
    restart();
    await assert.rejects(
      manager.prepare(a, signal),
      /old ResourceClaim with same name one and different UID other still exists/,
    );
    assert.deepEqual(noted(), [['one', 'gone']]);
  });
});

it('a record of claims that was changed by hand keeps the kubelet from starting, and says what to do', () => {
  const text = '{"Data":"{\\"ClaimInfoStateList\\":null}","Checksum":1}';
  writeFileSync(path, text);
  assert.throws(restart, /dra_manager_state: checkpoint is corrupted.*drain this node, remove the file/);
  rmSync(path);
  connect();
});

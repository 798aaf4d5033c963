import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'node:test';
import type { KubeClient } from '@wherry/client';
import { FakeClock } from '@wherry/clock';
import type { PersistentVolume, PersistentVolumeClaim, PersistentVolumeClaimStatus } from '@wherry/kubeapi';
import { silentLogger } from '@wherry/telemetry';
import { container, pod } from '../../../../test/builders.ts';
import { FolderDriver } from '../../../../test/csi-driver.ts';
import { NodeServiceCapabilityRPCType as Capability } from '../../../generated/csi.ts';
import { volumeGrowthMs } from '../../../limits.ts';
import { CsiDrivers } from './csi-drivers.ts';
import { CsiLayout, sha256 } from './csi-layout.ts';
import { KeyTurns } from './key-turns.ts';
import { VolumeGrowth } from './volume-growth.ts';

const name = 'folders.example';
let root: string;
let driver: FolderDriver;
let clock: FakeClock;
let claim: PersistentVolumeClaim;
let volume: PersistentVolume;
let patches: { status: Partial<PersistentVolumeClaimStatus> }[];
let told: string[];
let growth: VolumeGrowth;

beforeEach(async () => {
  root = mkdtempSync(join(tmpdir(), 'csi-growth-'));
  driver = new FolderDriver(name, join(root, 'driver'));
  driver.capabilities.push(Capability.EXPAND_VOLUME);
  await driver.listen();
  clock = new FakeClock();
  [patches, told] = [[], []];
  claim = {
    ...{
      apiVersion: 'v1',
      kind: 'PersistentVolumeClaim',
      metadata: { name: 'c', uid: 'c', resourceVersion: '7' },
    },
    spec: { accessModes: ['ReadWriteOnce'] },
    status: { capacity: { storage: '1Gi' } },
  };
  volume = {
    ...{ apiVersion: 'v1', kind: 'PersistentVolume', metadata: { name: 'pv' } },
    spec: {
      ...{ capacity: { storage: '1Gi' }, accessModes: ['ReadWriteOnce'] },
      csi: {
        driver: name,
        volumeHandle: 'h',
        fsType: 'ext4',
        nodeExpandSecretRef: { name: 's', namespace: 'n' },
      },
    },
  };
  const drivers = new CsiDrivers();
  drivers.add(name, drivers.open(name, { endpoint: driver.endpoint, version: [1, 0, 0] }));
  const client = {
    resource: ({ plural }: { plural: string }) => ({
      get: async () =>
        ({ persistentvolumes: volume, persistentvolumeclaims: claim })[plural] ?? {
          data: { key: Buffer.from('secret').toString('base64') },
        },
      async patch({ patch, subresource }: { patch: (typeof patches)[number]; subresource: string }) {
        assert.equal(subresource, 'status');
        patches.push(patch);
        return claim;
      },
    }),
  } as unknown as KubeClient;
  growth = new VolumeGrowth({
    ...{ drivers, client, clock, layout: new CsiLayout(root), turns: new KeyTurns(), logger: silentLogger },
    recorder: { record: ({ object, reason }) => told.push(`${object.kind} ${reason}`) },
  });
});
afterEach(async () => {
  await driver[Symbol.asyncDispose]();
  rmSync(root, { recursive: true });
});

const follow = (uid = 'u') =>
  growth.follow('key', {
    ...{ claimName: 'c', volumeName: 'pv', volumePath: '/published' },
    pod: pod({ containers: [container('a')] }, { uid }),
  });
const grow = (status: PersistentVolumeClaimStatus = {}) => {
  volume.spec.capacity = { storage: '2Gi' };
  claim.status = { ...claim.status, ...status };
};
const pending: PersistentVolumeClaimStatus = {
  allocatedResources: { storage: '2Gi' },
  allocatedResourceStatuses: { storage: 'NodeResizePending' },
  conditions: [
    { type: 'FileSystemResizePending', status: 'True' },
    { type: 'ModifyingVolume', status: 'True' },
  ],
};
/** Lets a minute pass, and what it began end. */
async function aMinuteLater(): Promise<void> {
  clock.advance(volumeGrowthMs);
  growth.tick();
  await follow();
}

describe('a claim whose volume has grown', () => {
  it('of a pod that runs gets its file system grown, and says so', async () => {
    await follow();
    assert.equal(driver.count('nodeExpandVolume'), 0);
    grow(pending);
    await aMinuteLater();
    assert.deepEqual(driver.calls.at(-1)?.request, {
      ...{ volumeId: 'h', volumePath: '/published' },
      stagingTargetPath: join(root, 'plugins/kubernetes.io/csi', name, sha256('h'), 'globalmount'),
      capacityRange: { requiredBytes: 2 ** 31, limitBytes: 0 },
      volumeCapability: {
        mount: { fsType: 'ext4', mountFlags: [], volumeMountGroup: '' },
        accessMode: { mode: 1 },
      },
      secrets: { key: 'secret' },
    });
    assert.deepEqual(
      patches.map(({ status }) => status),
      [
        { allocatedResourceStatuses: { storage: 'NodeResizeInProgress' } },
        {
          capacity: { storage: '2Gi' },
          allocatedResourceStatuses: { storage: null },
          conditions: [{ type: 'ModifyingVolume', status: 'True' }],
        },
      ],
    );
    const reason = 'FileSystemResizeSuccessful';
    assert.deepEqual(told, [`Pod ${reason}`, `PersistentVolumeClaim ${reason}`]);
    await aMinuteLater();
    assert.equal(driver.count('nodeExpandVolume'), 1);
  });

  it('waits for its controller, and is left alone where no node has to do anything', async () => {
    await follow();
    grow({ ...pending, allocatedResourceStatuses: { storage: 'ControllerResizeInProgress' } });
    await aMinuteLater();
    claim.status = { capacity: { storage: '2Gi' } };
    await aMinuteLater();
    assert.deepEqual([driver.count('nodeExpandVolume'), patches], [0, []]);
  });

  it('of a controller that marks nothing is grown too, without marks', async () => {
    await follow();
    grow({ conditions: [{ type: 'FileSystemResizePending', status: 'True' }] });
    await aMinuteLater();
    assert.deepEqual(
      patches.map(({ status }) => status),
      [{ capacity: { storage: '2Gi' }, conditions: [] }],
    );
  });

  it('that several nodes share is grown on each of them, also where it says that it has grown', async () => {
    claim.spec.accessModes = ['ReadWriteMany'];
    await follow();
    grow({ capacity: { storage: '2Gi' } });
    await aMinuteLater();
    assert.deepEqual([driver.count('nodeExpandVolume'), patches], [1, []]);
  });

  it('is tried again where the driver fails, and not where it never can', async () => {
    driver.failures.set('nodeExpandVolume', [{ code: 'INTERNAL' }, { code: 'OUT_OF_RANGE' }]);
    await follow();
    grow(pending);
    await aMinuteLater();
    const { allocatedResourceStatuses, conditions } = patches.at(-1)?.status ?? {};
    assert.equal(driver.count('nodeExpandVolume'), 2);
    assert.deepEqual(allocatedResourceStatuses, { storage: 'NodeResizeInfeasible' });
    assert.equal(conditions?.at(-1)?.type, 'NodeResizeError');
    assert.equal(told.at(-1), 'PersistentVolumeClaim VolumeResizeFailed');
    await aMinuteLater();
    assert.equal(driver.count('nodeExpandVolume'), 2);
  });

  it('is looked at no more once no pod has it', async () => {
    await follow();
    growth.forget('key', 'u');
    grow(pending);
    clock.advance(volumeGrowthMs);
    growth.tick();
    await new Promise((resolve) => setImmediate(resolve));
    assert.equal(driver.count('nodeExpandVolume'), 0);
  });
});

import assert from 'node:assert/strict';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'node:test';
import type { KubeClient } from '@wherry/client';
import { FakeClock } from '@wherry/clock';
import {
  type CSIDriverSpec,
  type CSIVolumeSource,
  type PersistentVolume,
  type PersistentVolumeSpec,
  type PodSpec,
  StatusError,
  type VolumeAttachmentStatus,
} from '@wherry/kubeapi';
import { parseMountInfo, unmount } from '@wherry/linux';
import { createLogger } from '@wherry/telemetry';
import { container, pod } from '../../../../test/builders.ts';
import { FolderDriver } from '../../../../test/csi-driver.ts';
import { NodeServiceCapabilityRPCType as Capability } from '../../../generated/csi.ts';
import { volumeFiguresPatienceMs } from '../../../limits.ts';
import { type VolumeRequest, VolumeStepError } from '../volume-plugin.ts';
import { CsiDrivers } from './csi-drivers.ts';
import { attachmentName, CsiLayout, sha256 } from './csi-layout.ts';
import { CsiVolumes } from './csi-volumes.ts';

const name = 'folders.example';
let root = '';
let driver: FolderDriver;
let spec: CSIDriverSpec | undefined;
let attachment: { name: string; status: VolumeAttachmentStatus } | undefined;
let volumesAttached: string[] = [];
let inUse: readonly string[] = [];
let full: string[] = [];
let clock: FakeClock;
let volumes: CsiVolumes;
let drivers: CsiDrivers;

beforeEach(async () => {
  root = mkdtempSync(join(tmpdir(), 'csi-'));
  mkdirSync(join(root, 'pods'));
  driver = new FolderDriver(name, join(root, 'driver'));
  await driver.listen();
  spec = { attachRequired: false, volumeLifecycleModes: ['Persistent', 'Ephemeral'] };
  attachment = undefined;
  volumesAttached = [];
  inUse = [];
  full = [];
  clock = new FakeClock();
  volumes = process();
});
afterEach(async () => {
  await driver[Symbol.asyncDispose]();
  for (const path of mounts()) unmount(path, { detach: true });
  rmSync(root, { recursive: true });
});

/** The API server, as far as it says what is asked of it. */
const client = {
  resource: ({ plural }: { plural: string }) => ({
    async get({ name: wanted }: { name: string }) {
      const gone = new StatusError({
        code: 404,
        reason: 'NotFound',
        message: `${plural} "${wanted}" not found`,
      });
      if (plural === 'csidrivers' && spec) return { spec };
      if (plural === 'volumeattachments' && attachment?.name === wanted)
        return { metadata: { name: wanted }, status: attachment.status };
      if (plural === 'nodes' && wanted === 'n')
        return {
          status: { volumesAttached: volumesAttached.map((each) => ({ name: each, devicePath: '' })) },
        };
      throw gone;
    },
  }),
} as unknown as KubeClient;

/** A kubelet that has just started; its drivers register at once unless told otherwise. */
function process(isRegistered = true): CsiVolumes {
  drivers = new CsiDrivers();
  if (isRegistered) drivers.add(name, drivers.open(name, { endpoint: driver.endpoint, version: [1, 0, 0] }));
  return new CsiVolumes({
    ...{ drivers, client, clock, nodeName: 'n', isSelinuxEnforcing: false },
    layout: new CsiLayout(root),
    recorder: { record: () => {} },
    logger: createLogger('test', { level: 'error', write: () => {} }),
    onUse: (names) => {
      inUse = names;
    },
    saysInUse: async (names) =>
      assert.deepEqual(
        names.filter((each) => !inUse.includes(each)),
        [],
      ),
    onFull: (of) => void full.push(of),
  });
}

function request(uid: string, more: { gid?: number; spec?: Partial<PodSpec>; signal?: AbortSignal } = {}) {
  const of = pod({ containers: [container('a')], serviceAccountName: 'robot', ...more.spec }, { uid });
  const signal = more.signal ?? new AbortController().signal;
  const secretOf = async (namespace: string, secret: string) => {
    if (secret === 'absent') throw new Error(`secrets "${secret}" not found`);
    return { data: { from: Buffer.from(`${namespace}/${secret}`).toString('base64') } };
  };
  const tokens = {
    issue: async ({ audience }: { audience: string }) => ({
      token: `for ${audience}`,
      expirationTimestamp: 'T',
    }),
  };
  return {
    ...{ pod: of, name: 'v', gid: more.gid, roots: { content: '', notes: join(root, 'notes', uid) } },
    sources: { pod: of, secretOf, tokens, signal },
    host: { clock: new FakeClock(), warn() {} },
  } as unknown as VolumeRequest<unknown>;
}

const inline = (
  uid: string,
  source: Partial<CSIVolumeSource> = {},
  more: Parameters<typeof request>[1] = {},
) => volumes.publishInline({ ...request(uid, more), source: { driver: name, ...source } });

function claimed(
  uid: string,
  more: Omit<Partial<PersistentVolumeSpec>, 'csi'> & { csi?: object } = {},
  of: Parameters<typeof request>[1] = {},
) {
  const { csi, ...rest } = more;
  const volume = {
    metadata: { name: 'pv' },
    spec: { accessModes: ['ReadWriteOnce'], ...rest, csi: { driver: name, volumeHandle: 'h/1', ...csi } },
  } as unknown as PersistentVolume;
  return volumes.publishClaimed(request(uid, of), volume, false);
}

const mounts = () =>
  parseMountInfo(readFileSync('/proc/self/mountinfo', 'utf8'))
    .flatMap(({ mountPoint }) => (mountPoint.startsWith(`${root}/`) ? [mountPoint] : []))
    .reverse();
const staged = () => join(root, 'plugins/kubernetes.io/csi', name, sha256('h/1'));
const volumeFolder = (uid: string, volume = 'pv') =>
  join(root, 'pods', uid, 'volumes/kubernetes.io~csi', volume);
const data = (folder: string) => JSON.parse(readFileSync(join(folder, 'vol_data.json'), 'utf8'));
const methods = () => driver.calls.map(({ method }) => method);
const last = (method: string) => driver.calls.findLast((call) => call.method === method)?.request;

describe('a volume of a CSI driver that lives with its pod', () => {
  it('is made under a handle of its own, in the folder where upstream has it, and goes without a trace', async () => {
    const { hostPath } = await inline('u', { fsType: 'ext4', volumeAttributes: { a: '1' }, readOnly: true });
    assert.equal(hostPath, join(volumeFolder('u', 'v'), 'mount'));
    const handle = `csi-${sha256('uv')}`;
    assert.deepEqual(data(volumeFolder('u', 'v')), {
      ...{ specVolID: 'v', volumeHandle: handle, driverName: name, nodeName: 'n' },
      ...{ volumeLifecycleMode: 'Ephemeral', attachmentID: attachmentName({ driver: name, handle }, 'n') },
    });
    const { volumeId, volumeContext, readonly, volumeCapability } = last('nodePublishVolume') ?? {};
    assert.deepEqual([volumeId, volumeContext, readonly], [handle, { a: '1' }, true]);
    assert.deepEqual(volumeCapability, {
      mount: { fsType: 'ext4', mountFlags: [], volumeMountGroup: '' },
      accessMode: { mode: 1 },
    });
    assert.deepEqual(inUse, []);
    await volumes.release('u');
    assert.deepEqual([methods(), mounts()], [['nodePublishVolume', 'nodeUnpublishVolume'], []]);
    assert.deepEqual(readdirSync(join(root, 'pods/u/volumes/kubernetes.io~csi')), []);
  });

  it('is refused, in upstream’s words, by a driver that is for claims alone, or of which nothing is known', async () => {
    spec = { volumeLifecycleModes: ['Persistent'] };
    const only = `volume mode "Ephemeral" not supported by driver ${name} (only supports ["Persistent"])`;
    await assert.rejects(inline('u'), { message: only });
    spec = undefined;
    const none = `volume mode "Ephemeral" not supported by driver ${name} (no CSIDriver object)`;
    await assert.rejects(inline('u'), { message: none });
    await assert.rejects(inline('u', { driver: '../x' }), /is no name of a CSI driver/);
  });

  it('comes with what the driver wants to know of the pod, its secret and tokens', async () => {
    spec = { ...spec, podInfoOnMount: true, tokenRequests: [{ audience: 'vault' }] };
    await inline('u', { nodePublishSecretRef: { name: 's' } });
    const { volumeContext, secrets } = last('nodePublishVolume') as {
      volumeContext: object;
      secrets: object;
    };
    assert.deepEqual({ ...secrets }, { from: 'default/s' });
    assert.deepEqual(volumeContext, {
      'csi.storage.k8s.io/pod.name': 'p',
      'csi.storage.k8s.io/pod.namespace': 'default',
      'csi.storage.k8s.io/pod.uid': 'u',
      'csi.storage.k8s.io/serviceAccount.name': 'robot',
      'csi.storage.k8s.io/ephemeral': 'true',
      'csi.storage.k8s.io/serviceAccount.tokens': '{"vault":{"token":"for vault","expirationTimestamp":"T"}}',
    });
    spec = { ...spec, podInfoOnMount: false, serviceAccountTokenInSecrets: true, requiresRepublish: true };
    assert.equal((await inline('w')).isRepublished, true);
    const again = last('nodePublishVolume') as { volumeContext: object; secrets: object };
    assert.deepEqual(
      [again.volumeContext, Object.keys(again.secrets)],
      [{}, ['csi.storage.k8s.io/serviceAccount.tokens']],
    );
    await assert.rejects(inline('x', { nodePublishSecretRef: { name: 'absent' } }), {
      message: 'fetching NodePublishSecretRef default/absent failed: secrets "absent" not found',
    });
  });
});

describe('a volume of the cluster', () => {
  it('is staged once for all its pods, and unstaged after the last one', async () => {
    await Promise.all([claimed('u'), claimed('w')]);
    assert.equal(driver.count('nodeStageVolume'), 1);
    assert.deepEqual(data(staged()), { driverName: name, volumeHandle: 'h/1' });
    assert.deepEqual(inUse, [`kubernetes.io/csi/${name}^h/1`]);
    assert.equal(last('nodePublishVolume')?.stagingTargetPath, join(staged(), 'globalmount'));
    await volumes.release('u');
    assert.equal(driver.count('nodeUnstageVolume'), 0);
    await volumes.release('w');
    assert.deepEqual([driver.count('nodeUnstageVolume'), existsSync(staged()), mounts()], [1, false, []]);
    assert.deepEqual(inUse, []);
  });

  it('is found again by a kubelet that starts anew, and let go of once its driver is there', async () => {
    await claimed('u');
    volumes = process(false);
    await volumes.load();
    assert.deepEqual(inUse, [`kubernetes.io/csi/${name}^h/1`]);
    await assert.rejects(volumes.release('u'), {
      message: `driver name ${name} not found in the list of registered CSI drivers`,
    });
    assert.equal(mounts().length, 2);
    volumes = process();
    await volumes.release('u');
    assert.deepEqual([mounts(), existsSync(staged()), existsSync(volumeFolder('u'))], [[], false, false]);
  });

  it('is unstaged by a kubelet that starts anew when no pod has it any more, and tried again when that fails', async () => {
    await claimed('u');
    driver.failures.set('nodeUnstageVolume', [{ code: 'INTERNAL' }, { code: 'INTERNAL' }]);
    await volumes.release('u');
    assert.equal(existsSync(staged()), true);
    volumes = process();
    const swept = async (count: number) => {
      volumes.sweep();
      for (let turn = 0; turn < 200 && driver.count('nodeUnstageVolume') < count; turn += 1)
        await new Promise((resolve) => setTimeout(resolve, 5));
      await new Promise((resolve) => setTimeout(resolve, 30));
      assert.equal(driver.count('nodeUnstageVolume'), count);
    };
    await swept(2);
    await swept(2);
    await clock.advance(600);
    await swept(3);
    for (let turn = 0; turn < 200 && inUse.length > 0; turn += 1)
      await new Promise((resolve) => setTimeout(resolve, 5));
    assert.deepEqual([existsSync(staged()), mounts(), inUse], [false, [], []]);
  });

  it('leaves its folder after a failure that may still go on, and not after one that is final', async () => {
    driver.failures.set('nodePublishVolume', [{ code: 'INVALID_ARGUMENT' }, { code: 'ABORTED' }]);
    await assert.rejects(claimed('u'), {
      message: 'rpc error: code = InvalidArgument desc = nodePublishVolume was told to fail',
    });
    assert.equal(existsSync(volumeFolder('u')), false);
    await assert.rejects(claimed('u'), /code = Aborted/);
    assert.equal(existsSync(join(volumeFolder('u'), 'vol_data.json')), true);
    await claimed('u');
    assert.equal(driver.count('nodeStageVolume'), 1);
    driver.failures.set('nodeStageVolume', [{ code: 'NOT_FOUND' }]);
    await assert.rejects(claimed('u', { csi: { volumeHandle: 'h2' } }), (error) => {
      assert.ok(error instanceof VolumeStepError);
      assert.equal(error.step, 'MountVolume.MountDevice');
      return true;
    });
  });

  it('is given up by a call whose pod is no longer wanted, and unpublished then', async () => {
    driver.failures.set('nodePublishVolume', ['wait']);
    const given = new AbortController();
    const failed = assert.rejects(claimed('u', {}, { signal: given.signal }), /code = Canceled/);
    while (driver.count('nodePublishVolume') === 0) await new Promise((resolve) => setTimeout(resolve, 5));
    given.abort(new Error('the pod is no longer wanted'));
    await failed;
    await volumes.release('u');
    assert.equal(driver.count('nodeUnpublishVolume'), 1);
    assert.equal(existsSync(volumeFolder('u')), false);
  });

  it('waits until it is attached, hands on what the attacher said, and says why it can not be', async () => {
    spec = undefined;
    const waits = claimed('u', { csi: { nodeStageSecretRef: { name: 's', namespace: 'other' } } });
    await new Promise((resolve) => setTimeout(resolve, 20));
    assert.deepEqual(methods(), []);
    const id = attachmentName({ driver: name, handle: 'h/1' }, 'n');
    attachment = { name: id, status: { attached: true, attachmentMetadata: { device: '/dev/x' } } };
    clock.advance(1_000);
    await new Promise((resolve) => setTimeout(resolve, 20));
    assert.deepEqual(methods(), [], 'the node is not said to have it');
    volumesAttached = [`kubernetes.io/csi/${name}^h/1`];
    clock.advance(1_000);
    await waits;
    const { publishContext, secrets } = last('nodeStageVolume') as {
      publishContext: object;
      secrets: object;
    };
    assert.deepEqual([{ ...publishContext }, { ...secrets }], [{ device: '/dev/x' }, { from: 'other/s' }]);
    attachment = { name: id, status: { attached: false, attachError: { message: 'no room' } } };
    await assert.rejects(claimed('w'), { message: 'no room', step: 'MountVolume.WaitForAttach' });
  });

  it('waits for room on its node as long as for any attachment where its driver counts, and fails at once where not', async () => {
    const id = attachmentName({ driver: name, handle: 'h/1' }, 'n');
    const attachError = { message: 'no room', errorCode: 8 };
    attachment = { name: id, status: { attached: false, attachError } };
    spec = {};
    await assert.rejects(claimed('u'), { name: 'VolumeStepError', message: 'no room' });
    assert.deepEqual(full, []);
    spec = { nodeAllocatableUpdatePeriodSeconds: 10 };
    const startMs = clock.monotonicMs();
    const refused = assert.rejects(claimed('u'), { name: 'NodeFullError', message: 'no room' });
    while (full.length === 0 && clock.monotonicMs() - startMs < 200_000) await clock.advanceAsync(1_000);
    await refused;
    assert.deepEqual(full, [name]);
    assert.ok(clock.monotonicMs() - startMs >= 118_000);
  });

  it('tells its driver of writers and groups as far as that can tell them apart', async () => {
    const capability = () =>
      last('nodePublishVolume')!['volumeCapability'] as {
        accessMode: { mode: number };
        mount: { volumeMountGroup: string };
      };
    const mode = () => capability().accessMode.mode;
    for (const [access, plain, fine] of [
      ['ReadWriteOnce', 1, 7],
      ['ReadWriteOncePod', 1, 6],
      ['ReadOnlyMany', 3, 3],
      ['ReadWriteMany', 5, 5],
    ] as const) {
      driver.capabilities = [];
      await claimed('u', { accessModes: [access] });
      assert.equal(mode(), plain);
      driver.capabilities = [Capability.SINGLE_NODE_MULTI_WRITER, Capability.VOLUME_MOUNT_GROUP];
      await claimed('u', { accessModes: [access] }, { gid: 7 });
      assert.equal(mode(), fine);
    }
    assert.equal(capability().mount.volumeMountGroup, '7');
  });

  it('is given to the pod’s group as the driver’s object says', async () => {
    const groupOf = async (uid: string, policy: string, fsType?: string) => {
      spec = { ...spec, fsGroupPolicy: policy };
      const { hostPath } = await claimed(
        uid,
        { csi: { volumeHandle: uid, ...(fsType ? { fsType } : {}) } },
        { gid: 4_242 },
      );
      return statSync(hostPath).gid;
    };
    assert.equal(await groupOf('a', 'None', 'ext4'), 0);
    assert.equal(await groupOf('b', 'ReadWriteOnceWithFSType'), 0);
    assert.equal(await groupOf('c', 'ReadWriteOnceWithFSType', 'ext4'), 4_242);
    assert.equal(await groupOf('d', 'File'), 4_242);
  });

  it('is given to the pod’s group each time that its driver is asked for it again', async () => {
    for (const requiresRepublish of [false, true]) {
      spec = { ...spec, fsGroupPolicy: 'File', requiresRepublish };
      const publish = () => inline(`u-${requiresRepublish}`, {}, { gid: 4_242 });
      const { hostPath } = await publish();
      writeFileSync(join(hostPath, 'renewed'), '', { mode: 0o600 });
      await publish();
      assert.equal(statSync(join(hostPath, 'renewed')).mode & 0o777, requiresRepublish ? 0o660 : 0o600);
    }
  });

  it('is a block device where the volume says so, in the folders where upstream has those', async () => {
    const { hostPath, isDevice } = await claimed('u', { volumeMode: 'Block' });
    const devices = join(root, 'plugins/kubernetes.io/csi/volumeDevices');
    assert.deepEqual([hostPath, isDevice], [join(devices, 'publish/pv/u'), true]);
    assert.equal(last('nodeStageVolume')?.stagingTargetPath, join(devices, 'staging/pv'));
    assert.deepEqual(data(join(devices, 'pv/data')), { driverName: name, volumeHandle: 'h/1' });
    assert.deepEqual(readdirSync(join(root, 'pods/u/volumeDevices/kubernetes.io~csi')), ['pv']);
    volumes = process();
    await volumes.release('u');
    assert.deepEqual(readdirSync(join(root, 'pods/u/volumeDevices/kubernetes.io~csi')), []);
    assert.deepEqual(readdirSync(devices).sort(), ['publish', 'staging']);
    assert.deepEqual(
      [...readdirSync(join(devices, 'publish')), ...readdirSync(join(devices, 'staging'))],
      [],
    );
  });

  it('has the figures that its driver gives, asked once a minute', async () => {
    const { hostPath } = await claimed('u');
    const figures = { capacityBytes: 1_000, availableBytes: 600, usedBytes: 400, inodes: 50, inodesFree: 30 };
    const both = await Promise.all([volumes.figuresOf('u', hostPath), volumes.figuresOf('u', hostPath)]);
    assert.deepEqual(both, [figures, figures]);
    driver.failures.set('nodeGetVolumeStats', [{ code: 'INTERNAL' }]);
    await clock.advance(61_000);
    assert.deepEqual(await volumes.figuresOf('u', hostPath), figures);
    assert.equal(driver.count('nodeGetVolumeStats'), 2);
    assert.equal(last('nodeGetVolumeStats')?.['volumePath'], hostPath);
    driver.capabilities = [];
    const other = await claimed('w', { csi: { volumeHandle: 'h2' } });
    assert.equal(await volumes.figuresOf('w', other.hostPath), undefined);
    assert.equal(await volumes.figuresOf('u', '/elsewhere'), undefined);
  });

  it('has no figures below nothing, nor beyond what is counted exactly', async () => {
    driver.usage = [
      { total: -1, used: 2 ** 62, available: -(2 ** 63), unit: 1 },
      { total: 5, used: 20, available: -15, unit: 2 },
    ];
    const { hostPath } = await claimed('u');
    assert.deepEqual(await volumes.figuresOf('u', hostPath), {
      ...{ capacityBytes: 0, availableBytes: 0, usedBytes: Number.MAX_SAFE_INTEGER },
      ...{ inodes: 5, inodesFree: 0 },
    });
  });

  it('has no figures while its driver does not answer, and others of it are not waited for', async () => {
    const [first, second] = [await claimed('u'), await claimed('w', { csi: { volumeHandle: 'h2' } })];
    driver.failures.set('nodeGetVolumeStats', ['wait']);
    const waited = volumes.figuresOf('u', first.hostPath);
    for (let turn = 0; turn < 400 && driver.count('nodeGetVolumeStats') === 0; turn += 1)
      await new Promise((resolve) => setTimeout(resolve, 5));
    await clock.advanceAsync(volumeFiguresPatienceMs);
    assert.equal(await waited, undefined);
    assert.equal(await volumes.figuresOf('w', second.hostPath), undefined);
    assert.equal(await volumes.figuresOf('u', first.hostPath), undefined);
    assert.equal(driver.count('nodeGetVolumeStats'), 1);
    driver.release();
    let told: unknown;
    for (let turn = 0; turn < 400 && told === undefined; turn += 1) {
      await new Promise((resolve) => setTimeout(resolve, 5));
      told = await volumes.figuresOf('w', second.hostPath);
    }
    assert.ok(told !== undefined);
  });

  it('waits for its own driver to unstage it, and for no other', async () => {
    const slow = new FolderDriver('a-slow.example', join(root, 'slow'));
    await slow.listen();
    try {
      drivers.add(slow.name, drivers.open(slow.name, { endpoint: slow.endpoint, version: [1, 0, 0] }));
      await claimed('w', { csi: { driver: slow.name } });
      await claimed('u');
      for (const each of [driver, slow]) each.failures.set('nodeUnstageVolume', [{ code: 'INTERNAL' }]);
      for (const uid of ['u', 'w']) await volumes.release(uid);
      slow.failures.set('nodeUnstageVolume', ['wait']);
      await clock.advance(1_000);
      volumes.sweep();
      for (
        let turn = 0;
        turn < 400 && (existsSync(staged()) || slow.count('nodeUnstageVolume') < 2);
        turn += 1
      )
        await new Promise((resolve) => setTimeout(resolve, 5));
      assert.deepEqual([existsSync(staged()), slow.count('nodeUnstageVolume')], [false, 2]);
    } finally {
      drivers.close();
      await slow[Symbol.asyncDispose]();
    }
  });

  it('whose data can not be read keeps its own pod, and no other', async () => {
    await claimed('u');
    mkdirSync(volumeFolder('broken'), { recursive: true });
    writeFileSync(join(volumeFolder('broken'), 'vol_data.json'), '{"driverName":');
    volumes = process();
    await volumes.release('u');
    await assert.rejects(volumes.release('broken'), SyntaxError);
    assert.equal(existsSync(volumeFolder('u')), false);
  });
});

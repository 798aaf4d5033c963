/** What is kept of pods that come and go: claims, their volumes and who removes them, on one node under kubectl. */
import assert from 'node:assert/strict';
import { type ChildProcess, execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { NodeServiceCapabilityRPCType as Capability } from '../packages/kubelet/src/generated/csi.ts';
import { FolderDriver } from '../packages/kubelet/test/csi-driver.ts';
import { replaceKubelet } from './changed-kubelet.ts';
import { testImage } from './image.ts';
import { eventually, podOf, TestNode } from './node.ts';
import { timeoutFlag } from './slowness.ts';

const group = 4242;
let node: TestNode;
/** A folder of the node that an administrator makes a volume of. */
let shared: string;
/** A block device of the node, over a file. */
let device = '';
let kubelet: ChildProcess | undefined;

before(async () => {
  node = await TestNode.start('claims');
  shared = join(tmpdir(), `wherry-claims-${process.pid}`);
  mkdirSync(join(shared, 'below'), { recursive: true });
  const backing = join(tmpdir(), `wherry-claims-${process.pid}.img`);
  writeFileSync(backing, Buffer.alloc(1 << 20, 'blocks'));
  device = execFileSync('losetup', ['--find', '--show', backing], { encoding: 'utf8' }).trim();
  rmSync(backing);
});
after(async () => {
  kubelet?.kill('SIGKILL');
  await node?.remove();
  if (device) execFileSync('losetup', ['--detach', device]);
  if (shared) rmSync(shared, { recursive: true, force: true });
});

const ok = (...words: string[]) => node.kubectlOk(words);
const field = (what: string, path: string) => ok('get', what, '-o', `jsonpath={${path}}`);
const create = (object: object) => node.kubectlOk(['create', '-f', '-'], { stdin: JSON.stringify(object) });
const run = async (pod: string, script: string) => (await ok('exec', pod, '--', 'sh', '-c', script)).trim();
const volumes = () => readdirSync(join(node.dataDir, 'volumes'));

const claimSpec = { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Mi' } } };
const claim = (name: string, more: object = {}) => ({
  ...{ apiVersion: 'v1', kind: 'PersistentVolumeClaim', metadata: { name } },
  spec: { ...claimSpec, ...more },
});
const mounted = { volumeMounts: [{ name: 'data', mountPath: '/data' }] };

test('a stateful set finds its data again after its pod, and its claim goes with it', async () => {
  const { spec } = podOf('unused', mounted, { terminationGracePeriodSeconds: 0 }) as { spec: object };
  await create({
    ...{ apiVersion: 'apps/v1', kind: 'StatefulSet', metadata: { name: 'db' } },
    spec: {
      ...{ replicas: 1, serviceName: 'db', selector: { matchLabels: { app: 'db' } } },
      persistentVolumeClaimRetentionPolicy: { whenDeleted: 'Delete' },
      template: { metadata: { labels: { app: 'db' } }, spec: { ...spec, restartPolicy: 'Always' } },
      volumeClaimTemplates: [{ metadata: { name: 'data' }, spec: claimSpec }],
    },
  });
  await ok('rollout', 'status', 'statefulset/db', timeoutFlag(60));
  assert.match(
    await ok('get', 'storageclass'),
    /^standard \(default\) +wherry\/local-path +Delete +WaitForFirst/m,
  );
  assert.match(await ok('get', 'pvc', 'data-db-0'), /^data-db-0 +Bound +pvc-\S+ +1Mi +RWO +standard /m);
  await run('db-0', 'echo kept > /data/file');
  const uid = await field('pod/db-0', '.metadata.uid');
  await ok('delete', 'pod', 'db-0');
  await eventually('another pod', async () => {
    const found = await ok(
      'get',
      'pod',
      'db-0',
      '-o',
      'jsonpath={.metadata.uid} {.status.phase}',
      '--ignore-not-found',
    );
    return found.endsWith(' Running') && !found.startsWith(uid);
  });
  assert.equal(await run('db-0', 'cat /data/file'), 'kept');
  await ok('delete', 'statefulset/db');
  await eventually('the claim, its volume and its folder are gone', async () => {
    const left = await ok('get', 'pvc,pv', '-o', 'name');
    return left === '' && volumes().length === 0;
  });
});

test('a pod waits for its claim, and says so', async () => {
  const data = { name: 'data', persistentVolumeClaim: { claimName: 'late', readOnly: true } };
  await create(podOf('waits', mounted, { volumes: [data] }));
  await eventually('the scheduler says why', async () =>
    /persistentvolumeclaim "late" not found/.test(await field('pod/waits', '.status.conditions[0].message')),
  );
  await create(claim('late'));
  await ok('wait', '--for=condition=Ready', 'pod/waits', timeoutFlag(60));
  await assert.rejects(run('waits', 'touch /data/file'), /Read-only file system/);
  await ok('delete', 'pvc', 'late', '--wait=false');
  assert.match(await ok('get', 'pvc', 'late'), /^late +Terminating /m);
  await ok('delete', 'pod', 'waits', '--grace-period=0', '--force');
  await ok('wait', '--for=delete', 'pvc/late', timeoutFlag(60));
});

/** A volume of this machine that an administrator made, for claims of the class `by-hand`. */
const byHand = (name: string, spec: object) => {
  const onNode = { matchExpressions: [{ key: 'kubernetes.io/os', operator: 'In', values: ['linux'] }] };
  return {
    ...{ apiVersion: 'v1', kind: 'PersistentVolume', metadata: { name } },
    spec: {
      ...{ capacity: { storage: '1Mi' }, accessModes: ['ReadWriteOnce'], storageClassName: 'by-hand' },
      ...{ nodeAffinity: { required: { nodeSelectorTerms: [onNode] } } },
      ...spec,
    },
  };
};

test('a volume of the administrator’s is the pod’s group’s, in parts too, and outlives its claim', async () => {
  await create(byHand('shared', { local: { path: shared } }));
  await create(claim('shared', { storageClassName: 'by-hand' }));
  const container = {
    volumeMounts: [
      { name: 'data', mountPath: '/data' },
      { name: 'data', mountPath: '/part', subPath: 'below' },
    ],
  };
  await create(
    podOf('grouped', container, {
      securityContext: { runAsUser: 1000, fsGroup: group, fsGroupChangePolicy: 'OnRootMismatch' },
      volumes: [{ name: 'data', persistentVolumeClaim: { claimName: 'shared' } }],
    }),
  );
  await ok('wait', '--for=condition=Ready', 'pod/grouped', timeoutFlag(60));
  await run('grouped', 'echo x > /part/file');
  assert.equal(await run('grouped', 'stat -c %g:%a /data /data/below'), `${group}:2775\n${group}:2775`);
  assert.ok(existsSync(join(shared, 'below/file')));
  await ok('delete', 'pod', 'grouped', '--grace-period=0', '--force');
  await ok('delete', 'pvc', 'shared');
  await eventually('it is released', async () => (await field('pv/shared', '.status.phase')) === 'Released');
  assert.ok(existsSync(join(shared, 'below/file')));
  await ok('delete', 'pv', 'shared');
});

test('a block device is one in the container too, and no file system', async () => {
  const block = { volumeMode: 'Block' };
  await create(byHand('device', { ...block, local: { path: device } }));
  await create(claim('device', { ...block, storageClassName: 'by-hand' }));
  const volumes = [{ name: 'data', persistentVolumeClaim: { claimName: 'device' } }];
  await create(podOf('raw', { volumeDevices: [{ name: 'data', devicePath: '/dev/data' }] }, { volumes }));
  await ok('wait', '--for=condition=Ready', 'pod/raw', timeoutFlag(60));
  assert.equal(await run('raw', 'test -b /dev/data && head -c 12 /dev/data'), 'blocksblocks');
  await run('raw', 'printf BLOCKS | dd of=/dev/data bs=6 count=1 conv=fsync');
  assert.equal(readFileSync(device).subarray(0, 12).toString(), 'BLOCKSblocks');
  await create(podOf('confused', mounted, { volumes }));
  const events = ['get', 'events', '--field-selector=involvedObject.name=confused', '-o'];
  await eventually('it is refused', async () =>
    /FailedMount .* failed to process volumes=\[data\]: volume data has volumeMode Block, but is specified in volumeMounts/.test(
      await ok(...events, 'jsonpath={range .items[*]}{.reason} {.message}{"\\n"}{end}'),
    ),
  );
  await ok('delete', 'pod', 'raw', 'confused', '--grace-period=0', '--force');
});

test('an ephemeral volume is made for its pod and goes with it', async () => {
  const data = { name: 'data', ephemeral: { volumeClaimTemplate: { spec: claimSpec } } };
  await create(podOf('brief', mounted, { volumes: [data] }));
  await ok('wait', '--for=condition=Ready', 'pod/brief', timeoutFlag(60));
  await run('brief', 'echo x > /data/file');
  assert.equal(volumes().length, 1);
  await ok('delete', 'pod', 'brief', '--grace-period=0', '--force');
  await eventually('its folder is gone', async () => volumes().length === 0);
});

test('a pod that is on its node without its claim being bound says what can not be mounted', async () => {
  await create(claim('unbound', { storageClassName: 'none-such' }));
  const data = { name: 'data', persistentVolumeClaim: { claimName: 'unbound' } };
  const nodeName = await field('nodes', '.items[0].metadata.name');
  await create(podOf('placed', mounted, { nodeName, volumes: [data] }));
  const events = ['get', 'events', '--field-selector=involvedObject.name=placed', '-o'];
  await eventually('it is told', async () =>
    /FailedMount Unable to attach or mount volumes: unmounted volumes=\[data\], unattached volumes=\[\], failed to process volumes=\[data\]: error processing PVC default\/unbound: PVC is not bound/.test(
      await ok(...events, 'jsonpath={range .items[*]}{.reason} {.message}{"\\n"}{end}'),
    ),
  );
  assert.match(await ok('get', 'pod', 'placed'), /ContainerCreating/);
  assert.equal(await field('pod/placed', '.spec.containers[0].image'), testImage);
});

/** Has a claim and its volume grow as the cluster's part does it (external-resizer): what is left is the node's. */
async function resize(name: string, storage: string): Promise<void> {
  const patch = (what: string, change: object, ...more: string[]) =>
    ok('patch', what, '--type=merge', '-p', JSON.stringify(change), ...more);
  await patch(`pvc/${name}`, { spec: { resources: { requests: { storage } } } });
  await patch(`pv/${name}`, { spec: { capacity: { storage } } });
  const status = {
    allocatedResources: { storage },
    allocatedResourceStatuses: { storage: 'NodeResizePending' },
    conditions: [
      { type: 'FileSystemResizePending', status: 'True', lastTransitionTime: '2026-01-01T00:00:00Z' },
    ],
  };
  await patch(`pvc/${name}`, { status }, '--subresource=status');
}

test('a CSI driver that registers gives pods volumes of claims and of their own, also across a killed kubelet, and grow with them', async () => {
  const name = 'folders.example';
  const root = join(node.dataDir, 'kubelet');
  await using driver = new FolderDriver(name, join(root, 'plugins', name));
  driver.capabilities.push(Capability.EXPAND_VOLUME);
  await driver.listen();
  await driver.register(join(root, 'plugins_registry'));
  await eventually('the cluster knows it', async () =>
    /folders/.test(await ok('get', 'csinodes', '-o', 'yaml')),
  );
  const entry = JSON.parse(await field('csinodes', '.items[0].spec.drivers[0]'));
  const topologyKeys = ['topology.folders.example/node'];
  assert.deepEqual(entry, { name, nodeID: 'node-of-folders', topologyKeys, allocatable: { count: 7 } });
  const annotation = '.items[0].metadata.annotations.csi\\.volume\\.kubernetes\\.io/nodeid';
  assert.equal(await field('nodes', annotation), `{"${name}":"node-of-folders"}`);
  await create({
    ...{ apiVersion: 'storage.k8s.io/v1', kind: 'CSIDriver', metadata: { name } },
    spec: { attachRequired: false, podInfoOnMount: true, volumeLifecycleModes: ['Persistent', 'Ephemeral'] },
  });
  await create({
    ...{ apiVersion: 'storage.k8s.io/v1', kind: 'StorageClass', metadata: { name: 'driven' } },
    ...{ provisioner: name, allowVolumeExpansion: true },
  });
  await create({
    ...{ apiVersion: 'v1', kind: 'PersistentVolume', metadata: { name: 'driven' } },
    spec: {
      ...{ capacity: { storage: '1Mi' }, accessModes: ['ReadWriteOnce'], storageClassName: 'driven' },
      ...{ persistentVolumeReclaimPolicy: 'Retain', csi: { driver: name, volumeHandle: 'one' } },
    },
  });
  await create(claim('driven', { storageClassName: 'driven' }));
  const volumes = [
    { name: 'data', persistentVolumeClaim: { claimName: 'driven' } },
    { name: 'brief', csi: { driver: name } },
  ];
  const volumeMounts = [...mounted.volumeMounts, { name: 'brief', mountPath: '/brief' }];
  const make = async (pod: string) => {
    await create(podOf(pod, { volumeMounts }, { volumes, terminationGracePeriodSeconds: 0 }));
    await ok('wait', '--for=condition=Ready', `pod/${pod}`, timeoutFlag(60));
  };
  await make('writer');
  await run('writer', 'echo kept > /data/file; echo own > /brief/file');
  assert.equal(readFileSync(join(driver.folder, 'volumes/one/file'), 'utf8'), 'kept\n');
  const summary = JSON.parse(await ok('get', '--raw', '/api/v1/nodes/claims/proxy/stats/summary'));
  const { volume } = summary.pods.find(
    ({ podRef }: { podRef: { name: string } }) => podRef.name === 'writer',
  );
  const { capacityBytes, usedBytes, inodesFree, pvcRef } = volume.find(
    (of: { name: string }) => of.name === 'data',
  );
  assert.deepEqual(
    [capacityBytes, usedBytes, inodesFree, pvcRef],
    [1_000, 400, 30, { name: 'driven', namespace: 'default' }],
  );
  const page = await ok('get', '--raw', '/api/v1/nodes/claims/proxy/metrics');
  const told = { capacity_bytes: 1_000, used_bytes: 400, inodes_free: 30 };
  for (const [figure, value] of Object.entries(told)) {
    const labels = 'namespace="default",persistentvolumeclaim="driven"';
    assert.ok(page.includes(`\nkubelet_volume_stats_${figure}{${labels}} ${value}\n`), figure);
  }
  await resize('driven', '2Mi');
  assert.equal(driver.count('nodeExpandVolume'), 0);
  kubelet = await replaceKubelet(node, {});
  await eventually('the driver registers again', async () => driver.answers.length === 2);
  await eventually(
    'the claim of the pod that runs has grown',
    async () => (await field('pvc/driven', '.status.capacity.storage')) === '2Mi',
  );
  const { volumeId, capacityRange } =
    driver.calls.find(({ method }) => method === 'nodeExpandVolume')?.request ?? {};
  assert.deepEqual([volumeId, capacityRange], ['one', { requiredBytes: 2 << 20, limitBytes: 0 }]);
  assert.equal(await field('pvc/driven', '.status.conditions'), '');
  assert.equal(await field('pvc/driven', '.status.allocatedResourceStatuses'), '');
  await eventually('its growth is told by an event', async () =>
    /FileSystemResizeSuccessful/.test(await ok('get', 'events')),
  );
  await ok('delete', 'pod', 'writer');
  await eventually('both are unpublished', async () => driver.count('nodeUnpublishVolume') === 2);
  await make('reader');
  assert.equal(await run('reader', 'cat /data/file; ls /brief'), 'kept');
  await ok('delete', 'pod', 'reader');
  await eventually('nothing is staged', async () => driver.count('nodeUnstageVolume') === 2);
  await driver.deregister();
  await eventually('the cluster hears that it is gone', async () =>
    /drivers: (null|\[\])/.test(await ok('get', 'csinodes', '-o', 'yaml')),
  );
  assert.deepEqual(
    driver.answers.map(({ pluginRegistered }) => pluginRegistered),
    [true, true],
  );
});

/** The CSI driver of Kubernetes' own end-to-end tests below a whole node: each call it refuses would be one that CSI forbids. */
import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { eventually, podOf, TestNode } from '../../e2e/node.ts';
import { buildUpstream } from './build.ts';

const name = 'mock.csi.example.com';

interface Call {
  method: string;
  code: string;
  message: string;
  request: Record<string, unknown>;
}

let node: TestNode;
let driver: ChildProcess | undefined;
const calls: Call[] = [];

before(async () => {
  const program = await buildUpstream('csi-mock');
  node = await TestNode.start('csi-mock');
  const root = join(node.dataDir, 'kubelet');
  const folder = join(root, 'plugins', name);
  mkdirSync(folder, { recursive: true });
  const sockets = [join(folder, 'csi.sock'), join(root, 'plugins_registry', `${name}-reg.sock`)];
  const child = spawn(program, sockets, { stdio: ['ignore', 'pipe', 'ignore'] });
  driver = child;
  let rest = '';
  child.stdout.on('data', (chunk: Buffer) => {
    const lines = (rest + chunk).split('\n');
    rest = lines.pop() ?? '';
    calls.push(...lines.map((line) => JSON.parse(line) as Call));
  });
});
after(async () => {
  await node?.remove();
  driver?.kill();
});

const ok = (...words: string[]) => node.kubectlOk(words);
const field = (what: string, path: string) => ok('get', what, '-o', `jsonpath={${path}}`);
const create = (object: object) => node.kubectlOk(['create', '-f', '-'], { stdin: JSON.stringify(object) });
const patch = (what: string, change: object, ...more: string[]) =>
  ok('patch', what, '--type=merge', '-p', JSON.stringify(change), ...more);
const of = (method: string) => calls.filter((call) => call.method === `/csi.v1.Node/${method}`);

test('it registers, with its limit of volumes', async () => {
  await eventually('the cluster knows it', async () => {
    const drivers = await field('csinodes', '.items[*].spec.drivers');
    return drivers !== '' && JSON.parse(drivers).length === 1;
  });
  const [entry] = JSON.parse(await field('csinodes', '.items[0].spec.drivers'));
  assert.deepEqual(entry, { name, nodeID: name, topologyKeys: [], allocatable: { count: 5 } });
});

test('a volume of a claim is staged, published, measured, grown, unpublished and unstaged', async () => {
  await create({
    ...{ apiVersion: 'storage.k8s.io/v1', kind: 'CSIDriver', metadata: { name } },
    spec: { attachRequired: false, podInfoOnMount: true },
  });
  await create({
    ...{ apiVersion: 'storage.k8s.io/v1', kind: 'StorageClass', metadata: { name: 'mock' } },
    ...{ provisioner: name, allowVolumeExpansion: true },
  });
  const capacity = { storage: '100Gi' };
  await create({
    ...{ apiVersion: 'v1', kind: 'PersistentVolume', metadata: { name: 'mock' } },
    spec: {
      ...{ capacity, accessModes: ['ReadWriteOnce'], storageClassName: 'mock' },
      ...{ persistentVolumeReclaimPolicy: 'Retain', csi: { driver: name, volumeHandle: '1' } },
    },
  });
  await create({
    ...{ apiVersion: 'v1', kind: 'PersistentVolumeClaim', metadata: { name: 'mock' } },
    spec: { accessModes: ['ReadWriteOnce'], storageClassName: 'mock', resources: { requests: capacity } },
  });
  const volumes = [{ name: 'data', persistentVolumeClaim: { claimName: 'mock' } }];
  const mounts = { volumeMounts: [{ name: 'data', mountPath: '/data' }] };
  await node.apply(podOf('user', mounts, { volumes, terminationGracePeriodSeconds: 0 }));
  const uid = await field('pod/user', '.metadata.uid');
  const [published] = of('NodePublishVolume');
  const context = published?.request['volume_context'] as Record<string, string>;
  assert.equal(context['csi.storage.k8s.io/pod.uid'], uid);
  await ok('get', '--raw', '/api/v1/nodes/csi-mock/proxy/stats/summary');
  assert.ok(of('NodeGetVolumeStats').length > 0);
  await grow('101Gi');
  await ok('delete', 'pod', 'user');
  await isUnstaged(1);
  await node.apply(podOf('next', mounts, { volumes, terminationGracePeriodSeconds: 0 }));
  await eventually('it has grown', async () => of('NodeExpandVolume').length > 0);
  await eventually(
    'the claim says so',
    async () => (await field('pvc/mock', '.status.capacity.storage')) === '101Gi',
  );
  await ok('delete', 'pod', 'next');
  await isUnstaged(2);
  const order = calls
    .map(({ method }) => method.replace('/csi.v1.Node/', ''))
    .filter((method) => /(Stage|Publish|Unpublish|Unstage)Volume$/i.test(method));
  const round = ['NodeStageVolume', 'NodePublishVolume', 'NodeUnpublishVolume', 'NodeUnstageVolume'];
  assert.deepEqual(order, [...round, ...round]);
});

const isUnstaged = (times: number) =>
  eventually('nothing is staged', async () => of('NodeUnstageVolume').length === times);

/** What the controllers of a cluster do of a resize: the volume is larger, the file system on it is not yet. */
async function grow(storage: string): Promise<void> {
  await patch('pvc/mock', { spec: { resources: { requests: { storage } } } });
  await patch('pv/mock', { spec: { capacity: { storage } } });
  const status = {
    allocatedResources: { storage },
    allocatedResourceStatuses: { storage: 'NodeResizePending' },
    conditions: [
      { type: 'FileSystemResizePending', status: 'True', lastTransitionTime: '2026-01-01T00:00:00Z' },
    ],
  };
  await patch('pvc/mock', { status }, '--subresource=status');
}

test('none of all calls was refused', () => {
  assert.ok(calls.length > 0);
  assert.deepEqual(
    calls.filter(({ code }) => code !== 'OK').map(({ method, code, message }) => ({ method, code, message })),
    [],
  );
});

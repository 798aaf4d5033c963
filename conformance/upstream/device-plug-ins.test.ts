/** Kubernetes' own sample device plug-in below a whole node, and the record of devices as upstream's kubelet reads it. */
import assert from 'node:assert/strict';
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { promisify } from 'node:util';
import { replaceKubelet } from '../../e2e/changed-kubelet.ts';
import { eventually, podOf, TestNode } from '../../e2e/node.ts';
import {
  readDeviceCheckpoint,
  writeDeviceCheckpoint,
} from '../../packages/kubelet/src/execution/devices/device-checkpoint.ts';
import { buildUpstream } from './build.ts';

const run = promisify(execFile);
const resource = 'example.com/resource';
/** Where the plug-in looks for every kubelet. */
const usualFolder = '/var/lib/kubelet/device-plugins';

let node: TestNode;
let folder: string;
let plugIn: ChildProcess | undefined;
let kubelet: ChildProcess | undefined;
let judge: string;

before(async () => {
  const [sample, built] = await Promise.all([
    buildUpstream('sample-device-plugin'),
    buildUpstream('device-record'),
  ]);
  judge = built;
  folder = mkdtempSync(join(tmpdir(), 'device-plug-ins-'));
  node = await TestNode.start('devices');
  const own = join(node.dataDir, 'kubelet', 'device-plugins');
  // In a mount namespace of its own the node's folder is the usual one.
  const script = 'mount -t tmpfs none /var/lib && mkdir -p "$1" && mount --bind "$2" "$1" && exec "$3"';
  const words = ['--mount', 'sh', '-c', script, 'sh', usualFolder, own, sample];
  plugIn = spawn('unshare', words, { stdio: 'ignore' });
});
after(async () => {
  plugIn?.kill();
  kubelet?.kill('SIGKILL');
  await node?.remove();
  for (const id of ['Dev-1', 'Dev-2']) rmSync(join('/tmp', id), { force: true });
  if (folder) rmSync(folder, { recursive: true, force: true });
});

const read = (what: string, path: string) => node.kubectlOk(['get', what, '-o', `jsonpath={${path}}`]);
const ofNode = (list: string) => read('node', `.items[0].status.${list}.example\\.com/resource`);
const asking = (amount: number) => ({ resources: { limits: { [resource]: String(amount) } } });
const shows = (capacity: string, allocatable: string) =>
  eventually(`${capacity} devices, ${allocatable} in order`, async () => {
    const amounts = await Promise.all([ofNode('capacity'), ofNode('allocatable')]);
    return amounts.join() === `${capacity},${allocatable}`;
  });
const recordPath = () => join(node.dataDir, 'kubelet', 'device-plugins', 'kubelet_internal_checkpoint');

describe("Kubernetes' sample device plug-in", () => {
  test('registers, and a pod gets one of its devices', async () => {
    await shows('2', '2');
    await node.apply(podOf('one', asking(1)));
    const status = '.status.containerStatuses[0].allocatedResourcesStatus[0]';
    assert.equal(await read('pod/one', `${status}.name`), resource);
    assert.equal(await read('pod/one', `${status}.resources[0].health`), 'Healthy');
    const id = await read('pod/one', `${status}.resources[0].resourceID`);
    assert.match(id, /^Dev-[12]$/);
    await node.kubectlOk(['exec', 'one', '--', 'test', '-e', `/tmp/${id}`]);
  });

  test('a pod that comes past the scheduler and asks for more than is left is refused', async () => {
    const nodeName = await read('node', '.items[0].metadata.name');
    await node.kubectlOk(['apply', '-f', '-'], {
      stdin: JSON.stringify(podOf('two', asking(2), { nodeName })),
    });
    await eventually('the verdict', async () => (await read('pod/two', '.status.phase')) === 'Failed');
    assert.equal(await read('pod/two', '.status.reason'), 'UnexpectedAdmissionError');
    assert.match(await read('pod/two', '.status.message'), /Requested: 2, Available: 1/);
    await node.kubectlOk(['delete', 'pod', 'two']);
  });

  test("upstream's kubelet reads who has what, and what it writes is read here", async () => {
    const written = join(folder, 'written');
    await run(judge, [recordPath(), written]);
    assert.deepEqual(readDeviceCheckpoint(written), readDeviceCheckpoint(recordPath()));
    assert.equal(readDeviceCheckpoint(written)?.grants.length, 1);
  });

  test('a kubelet that is killed and starts anew has the devices again, and the pod runs on', async () => {
    const id = await read('pod/one', '.status.containerStatuses[0].containerID');
    kubelet = await replaceKubelet(node, {});
    await shows('2', '2');
    assert.equal(await read('pod/one', '.status.containerStatuses[0].containerID'), id);
    assert.equal(await read('pod/one', '.status.containerStatuses[0].restartCount'), '0');
    await node.apply(podOf('last', asking(1)));
    const ids = await Promise.all(
      ['one', 'last'].map((name) =>
        read(
          `pod/${name}`,
          '.status.containerStatuses[0].allocatedResourcesStatus[0].resources[0].resourceID',
        ),
      ),
    );
    assert.deepEqual(ids.toSorted(), ['Dev-1', 'Dev-2']);
  });

  test('when it ends its devices are there and out of order', async () => {
    plugIn?.kill();
    await shows('2', '0');
  });
});

test('records of many devices, near to several memory nodes and to none, pass between both kubelets', async () => {
  const response = {
    envs: { NAME: 'a "b" é' },
    mounts: [{ containerPath: '/a', hostPath: '/b', readOnly: true }],
    devices: [{ containerPath: '/dev/a', hostPath: '/dev/b', permissions: 'rw' }],
    annotations: { 'example.com/a': '1' },
    cdiDevices: [{ name: 'example.com/gpu=a' }],
  };
  const idsByNode = new Map([
    [-1, ['x']],
    [0, ['a', 'b']],
    [1, ['b']],
    [10, ['c é']],
    [2, ['d']],
  ]);
  const grant = { idsByNode, response };
  const entry = { uid: 'u-1', container: 'main', resource, grant };
  const grants = [entry, { ...entry, container: 'other', resource: 'example.com/b' }];
  const registered = new Map([
    ['example.com/Z', []],
    [resource, ['b', 'a']],
    ['example.com/a', ['x']],
  ]);
  for (const record of [
    { grants, registered },
    { grants: [], registered: new Map() },
  ]) {
    const [ours, theirs] = [join(folder, 'ours'), join(folder, 'theirs')];
    writeDeviceCheckpoint(ours, record);
    await run(judge, [ours, theirs]);
    assert.deepEqual(readDeviceCheckpoint(theirs), record);
  }
});

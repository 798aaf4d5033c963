/** Our kubelet on upstream's runtime: Debian's containerd serves CRI and the streams, everything above it is ours. */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { detectCgroups, foldersAt, removeGroup } from '@wherry/linux';
import { start } from '../e2e/command.ts';
import { eventually, podOf, TestNode, wherryEntry } from '../e2e/node.ts';
import { type Containerd, startContainerd } from './peers/containerd.ts';
import { kubeletConfiguration } from './peers/kubelet-configuration.ts';
import { checkSessions, tickerScript } from './peers/session-checks.ts';

const nodeName = 'contained';
const cgroupRoot = `/contained-${process.pid}`;

let node: TestNode;
let containerd: Containerd;
let folder: string;
let kubelet: ReturnType<typeof start>;

const onContainerd = (name: string, script: string) =>
  podOf(
    name,
    { image: containerd.image, imagePullPolicy: 'Never', command: ['sh', '-c', script] },
    { nodeName },
  );

before(async () => {
  folder = mkdtempSync(join(tmpdir(), 'kubelet-on-containerd-'));
  [node, containerd] = await Promise.all([TestNode.start('upper'), startContainerd()]);
  const configuration = join(folder, 'config.json');
  writeFileSync(
    configuration,
    JSON.stringify(
      kubeletConfiguration({
        port: 10_350,
        endpoint: `unix://${containerd.socketPath}`,
        cgroupRoot,
        podLogsDir: join(folder, 'pod-logs'),
        pki: join(node.dataDir, 'pki'),
      }),
    ),
  );
  const flags = ['--config', configuration, '--kubeconfig', node.kubeconfig, '--root-dir', folder];
  kubelet = start(process.execPath, [wherryEntry, 'kubelet', ...flags, '--hostname-override', nodeName]);
  await eventually('the node', async () => {
    const { code } = await node.kubectl([
      'wait',
      '--for=condition=Ready',
      `node/${nodeName}`,
      '--timeout=5s',
    ]);
    return code === 0;
  });
  await node.apply(onContainerd('ticker', tickerScript));
});
after(async () => {
  await node?.kubectl(['delete', 'pod', '--all', '--wait', '--timeout=60s']);
  kubelet?.kill();
  await containerd?.close();
  await node?.remove();
  removeGroup(foldersAt(detectCgroups(), cgroupRoot));
  rmSync(folder, { recursive: true, force: true });
});

test('the node tells which runtime it has, and the pod runs there', async () => {
  const runtime = '{.status.nodeInfo.containerRuntimeVersion}';
  const version = await node.kubectlOk(['get', 'node', nodeName, '-o', `jsonpath=${runtime}`]);
  assert.match(version, /^containerd:\/\/1\./);
  const { containers } = await containerd.client.runtime.listContainers();
  const id = '{.status.containerStatuses[0].containerID}';
  const containerId = await node.kubectlOk(['get', 'pod', 'ticker', '-o', `jsonpath=${id}`]);
  assert.deepEqual(
    containers.map((container) => `containerd://${container.id}`),
    [containerId],
  );
});

checkSessions(() => node);

test('a container that ends is told with its exit code, and runs again', async () => {
  await node.apply(
    onContainerd('mortal', 'test -e /tmp/again && exec sleep 1000; touch /tmp/again; sleep 1; exit 7'),
  );
  const path = '{.status.containerStatuses[0].lastState.terminated.exitCode}';
  const exitCode = await eventually(
    'the restart',
    async () => (await node.kubectlOk(['get', 'pod', 'mortal', '-o', `jsonpath=${path}`])) || undefined,
  );
  assert.equal(exitCode, '7');
});

test('a deleted pod leaves nothing in containerd', async () => {
  await node.kubectlOk(['delete', 'pod', '--all', '--wait', '--timeout=60s']);
  await eventually('containerd to be empty', async () => {
    const { items } = await containerd.client.runtime.listPodSandbox();
    return items.length === 0;
  });
});

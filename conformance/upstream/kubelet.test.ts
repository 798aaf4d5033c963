/** Kubernetes' own kubelet between our API server and our runtime. */
import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { packTree } from '@wherry/images';
import { createGroup, detectCgroups, foldersAt, readMountInfo, removeGroup, unmount } from '@wherry/linux';
import { start } from '../../e2e/command.ts';
import { eventually, scriptPod, TestNode } from '../../e2e/node.ts';
import { makeBusyboxTree } from '../cri/busybox-tree.ts';
import { type CriNode, startCriNode } from '../cri/cri-node.ts';
import { kubeletConfiguration } from '../peers/kubelet-configuration.ts';
import { checkSessions, tickerScript } from '../peers/session-checks.ts';
import { buildUpstream } from './build.ts';

const nodeName = 'upstream';
const image = 'docker.io/library/wherry-test:latest';
const cgroupRoot = `/upstream-${process.pid}`;

/** ContainerState and PodSandboxState of the CRI. */
const running = 1;
const sandboxReady = 0;

let folder: string;
let node: TestNode;
let criNode: CriNode;
let kubelet: ReturnType<typeof start>;
let log = '';

const podThere = (name: string, script: string) => scriptPod(name, script, { nodeName });

before(async () => {
  const program = await buildUpstream('kubelet');
  folder = mkdtempSync(join(tmpdir(), 'upstream-kubelet-'));
  [node, criNode] = await Promise.all([TestNode.start('upper'), startCriNode({ podCidr: '10.94.0.0/24' })]);
  const tree = join(folder, 'tree');
  mkdirSync(tree);
  makeBusyboxTree(tree);
  await criNode.images.build(packTree(tree), { name: image, cmd: ['sh'] });
  createGroup(foldersAt(detectCgroups(), cgroupRoot));
  const configuration = join(folder, 'config.json');
  writeFileSync(
    configuration,
    JSON.stringify(
      kubeletConfiguration({
        port: 10_360,
        endpoint: criNode.endpoint,
        cgroupRoot,
        podLogsDir: join(folder, 'pod-logs'),
        pki: join(node.dataDir, 'pki'),
      }),
    ),
  );
  const flags = ['--config', configuration, '--kubeconfig', node.kubeconfig];
  kubelet = start(program, [...flags, '--root-dir', join(folder, 'root'), '--hostname-override', nodeName]);
  kubelet.stderr.on('data', (chunk: Buffer) => {
    log = (log + chunk).slice(-20_000);
  });
  await eventually('the node', async () => {
    if (kubelet.exitCode !== null) throw new Error(`the kubelet ended:\n${log}`);
    const words = ['wait', '--for=condition=Ready', `node/${nodeName}`, '--timeout=5s'];
    return (await node.kubectl(words)).code === 0;
  });
  await node.apply(podThere('ticker', tickerScript));
});

after(async () => {
  await node?.kubectl(['delete', 'pod', '--all', '--wait', '--timeout=60s']);
  kubelet?.kill();
  await criNode?.close();
  await node?.remove();
  const inside = readMountInfo().filter(({ mountPoint }) => mountPoint.startsWith(`${folder}/`));
  for (const { mountPoint } of inside.reverse()) unmount(mountPoint, { detach: true });
  removeGroup(foldersAt(detectCgroups(), cgroupRoot));
  rmSync(folder, { recursive: true, force: true });
});

test('the node is an upstream kubelet on our runtime', async () => {
  const path = '{.status.nodeInfo.containerRuntimeVersion}';
  assert.match(await node.kubectlOk(['get', 'node', nodeName, '-o', `jsonpath=${path}`]), /^wherry:\/\//);
  const { containers } = await criNode.client.runtime.listContainers();
  assert.equal(containers.length, 1);
});

checkSessions(() => node);

test('a container that ends is told with its exit code, and runs again', async () => {
  await node.apply(
    podThere('mortal', 'test -e /tmp/again && exec sleep 1000; touch /tmp/again; sleep 2; exit 7'),
  );
  const path = '{.status.containerStatuses[0].lastState.terminated.exitCode}';
  const exitCode = await eventually(
    'the restart',
    async () => (await node.kubectlOk(['get', 'pod', 'mortal', '-o', `jsonpath=${path}`])) || undefined,
    60_000,
  );
  assert.equal(exitCode, '7');
});

test('storage is counted and kept within bounds, as the runtime tells what containers wrote', async () => {
  const path = '{.status.allocatable.ephemeral-storage}';
  assert.match(await node.kubectlOk(['get', 'node', nodeName, '-o', `jsonpath=${path}`]), /^[1-9]/);
  const limits = { 'ephemeral-storage': '5Mi' };
  const command = ['sh', '-c', 'dd if=/dev/zero of=/written bs=1M count=20; sleep 100000'];
  await node.kubectlOk(['apply', '-f', '-'], {
    stdin: JSON.stringify({
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { name: 'writes-much' },
      spec: {
        nodeName,
        terminationGracePeriodSeconds: 0,
        containers: [{ name: 'main', image, imagePullPolicy: 'Never', command, resources: { limits } }],
      },
    }),
  });
  const words = ['get', 'pod', 'writes-much', '-o', 'jsonpath={.status.reason}: {.status.message}'];
  const said = await eventually(
    'the eviction',
    async () => {
      const text = await node.kubectlOk(words);
      return text.startsWith('Evicted') && text;
    },
    90_000,
  );
  assert.match(
    said,
    /ephemeral local storage usage exceeds the total limit of containers 5Mi|exceeded its local ephemeral storage limit "5Mi"/,
  );
});

/**
 * A pod without grace is gone from the API before it has ended, and what has ended stays in the runtime until the
 * kubelet's collector comes by, once a minute.
 */
test('a deleted pod leaves nothing that runs', async () => {
  await node.kubectlOk(['delete', 'pod', '--all', '--wait', '--timeout=60s']);
  const { runtime } = criNode.client;
  await eventually('every container and sandbox to be stopped', async () => {
    const { containers } = await runtime.listContainers({ filter: { state: { state: running } } });
    const { items } = await runtime.listPodSandbox({ filter: { state: { state: sandboxReady } } });
    return containers.length === 0 && items.length === 0;
  });
});

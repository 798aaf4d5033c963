/** kubectl and wherry through the gateways of docs/gateways.md, in front of kube-apiserver and a kubelet of upstream's on our runtime. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { networkInterfaces, tmpdir } from 'node:os';
import { join } from 'node:path';
import { after } from 'node:test';
import { packTree } from '@wherry/images';
import { createGroup, detectCgroups, foldersAt, readMountInfo, removeGroup, unmount } from '@wherry/linux';
import { testImage } from '../../e2e/image.ts';
import { eventually, scriptPod } from '../../e2e/node.ts';
import { writeFiles } from '../../packages/apiserver/test/pki.ts';
import { makeBusyboxTree } from '../cri/busybox-tree.ts';
import { type CriNode, startCriNode } from '../cri/cri-node.ts';
import { clusterOf } from '../peers/cluster.ts';
import { checkGateways } from '../peers/gateway-checks.ts';
import { type ClusterFiles, makeClusterFiles, Processes } from '../peers/joining-node.ts';
import { kubeletConfiguration } from '../peers/kubelet-configuration.ts';
import { serverFlags } from '../peers/own-plane.ts';
import { tickerScript } from '../peers/session-checks.ts';
import { buildUpstream } from './build.ts';
import { etcdFlags, etcdProgram } from './etcd.ts';

const ports = { api: 16_483, etcd: 23_883, kubelet: 10_463 };
const cgroupRoot = `/gateways-${process.pid}`;
const processes = new Processes();
let files: ClusterFiles;
let folder: string;
let criNode: CriNode;

/** The kubelet tells the API server one of them. */
const ownAddresses = () =>
  Object.values(networkInterfaces()).flatMap((all) => (all ?? []).map(({ address }) => address));

async function startServer(): Promise<void> {
  files = await makeClusterFiles(`https://127.0.0.1:${ports.api}`);
  processes.start('etcd', etcdProgram(), etcdFlags(files.at('etcd'), ports.etcd));
  processes.start('apiserver', await buildUpstream('kube-apiserver'), [
    ...serverFlags(files, ports.api),
    `--etcd-servers=http://127.0.0.1:${ports.etcd}`,
    '--service-cluster-ip-range=10.96.0.0/16',
    // Nobody makes accounts here.
    '--disable-admission-plugins=ServiceAccount',
  ]);
}

async function startKubelet(): Promise<void> {
  criNode = await startCriNode({ podCidr: '10.94.12.0/24' });
  folder = mkdtempSync(join(tmpdir(), 'gateways-kubelet-'));
  const tree = join(folder, 'tree');
  mkdirSync(tree);
  makeBusyboxTree(tree);
  await criNode.images.build(packTree(tree), { name: testImage, cmd: ['sh'] });
  createGroup(foldersAt(detectCgroups(), cgroupRoot));
  const pki = join(folder, 'pki');
  mkdirSync(pki);
  const { cert, key } = await files.authority.issue({ name: 'kubelet', hosts: ownAddresses() });
  writeFiles(pki, { 'kubelet.crt': cert, 'kubelet.key': key, 'kubelet-ca.crt': files.authority.cert });
  const configuration = join(folder, 'config.json');
  const options = { port: ports.kubelet, endpoint: criNode.endpoint, cgroupRoot, pki };
  writeFileSync(
    configuration,
    JSON.stringify(kubeletConfiguration({ ...options, podLogsDir: join(folder, 'pod-logs') })),
  );
  processes.start('kubelet', await buildUpstream('kubelet'), [
    ...['--config', configuration, '--kubeconfig', files.kubeconfig],
    ...['--root-dir', join(folder, 'root'), '--hostname-override', 'upstream'],
  ]);
}

checkGateways(async () => {
  await startServer();
  const cluster = clusterOf(() => ({ KUBECONFIG: files.kubeconfig, HOME: files.folder }));
  const succeeds = async (words: readonly string[]) => (await cluster.kubectl(words)).code === 0;
  await eventually('the API server', () => succeeds(['get', '--raw', '/readyz']), 120_000);
  await startKubelet();
  const ready = ['wait', '--for=condition=Ready', '--timeout=5s'];
  await eventually('the node', () => succeeds([...ready, 'node/upstream']), 60_000);
  const stdin = JSON.stringify(scriptPod('ticker', tickerScript, { nodeName: 'upstream' }));
  await cluster.kubectlOk(['apply', '-f', '-'], { stdin });
  await eventually('the pod', () => succeeds([...ready, 'pod/ticker']), 60_000);
  return files.kubeconfig;
});

after(async () => {
  const cluster = clusterOf(() => ({ KUBECONFIG: files.kubeconfig, HOME: files.folder }));
  await cluster.kubectl(['delete', 'pod', '--all', '--wait', '--timeout=60s']);
  await processes.end();
  await criNode?.close();
  const inside = readMountInfo().filter(({ mountPoint }) => mountPoint.startsWith(`${folder}/`));
  for (const { mountPoint } of inside.reverse()) unmount(mountPoint, { detach: true });
  removeGroup(foldersAt(detectCgroups(), cgroupRoot));
  for (const path of [folder, files.folder]) if (path) rmSync(path, { recursive: true, force: true });
});

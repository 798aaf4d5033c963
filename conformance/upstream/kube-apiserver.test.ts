/**
 * Our node, with its controllers and scheduler, below Kubernetes' own API server, which stores in etcd. Four authorities
 * sign, as clusters may have it: for the API server, for its clients, for kubelets, and for the API server at kubelets.
 */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import https from 'node:https';
import { networkInterfaces, tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { packTree } from '@wherry/images';
import { detectCgroups, foldersAt, readMountInfo, removeGroup, unmount } from '@wherry/linux';
import { start } from '../../e2e/command.ts';
import { eventually, scriptPod, TestNode, wherryEntry } from '../../e2e/node.ts';
import { TestAuthority, writeFiles } from '../../packages/apiserver/test/pki.ts';
import { makeBusyboxTree } from '../cri/busybox-tree.ts';
import { type CriNode, startCriNode } from '../cri/cri-node.ts';
import { clusterOf } from '../peers/cluster.ts';
import { kubeletConfiguration } from '../peers/kubelet-configuration.ts';
import { checkSessions, tickerScript } from '../peers/session-checks.ts';
import { checkWorkloads } from '../peers/workload-checks.ts';
import { buildUpstream } from './build.ts';
import { etcdFlags, etcdProgram } from './etcd.ts';

const image = 'docker.io/library/wherry-test:latest';
const port = 16_443;
const kubeletPort = 10_370;
const etcdPort = 23_790;
const nodeName = 'below';
const cgroupRoot = `/below-${process.pid}`;

let folder: string;
/** Lends the certificates of clients, and of the API server at kubelets, alone. */
let donor: TestNode;
/** Files of the two servers' authorities and certificates. */
let servers: Record<'api-ca.crt' | 'api.crt' | 'api.key' | 'node-ca.crt' | 'node.crt' | 'node.key', string>;
let criNode: CriNode;
const running: ReturnType<typeof start>[] = [];
let controllersLog = '';

const kubeconfig = () => join(folder, 'kubeconfig');
const cluster = clusterOf(() => ({ KUBECONFIG: kubeconfig(), HOME: folder }));

async function ended(child: ReturnType<typeof start>): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const closed = once(child, 'close');
  child.kill();
  const impatience = setTimeout(() => child.kill('SIGKILL'), 10_000);
  await closed;
  clearTimeout(impatience);
}

function apiserverFlags(): string[] {
  const file = (name: string) => join(donor.dataDir, 'pki', name);
  return [
    `--etcd-servers=http://127.0.0.1:${etcdPort}`,
    `--secure-port=${port}`,
    '--bind-address=127.0.0.1',
    `--client-ca-file=${file('ca.crt')}`,
    `--tls-cert-file=${servers['api.crt']}`,
    `--tls-private-key-file=${servers['api.key']}`,
    '--service-account-issuer=https://kubernetes.default.svc.cluster.local',
    `--service-account-key-file=${file('service-account.pub')}`,
    `--service-account-signing-key-file=${file('service-account.key')}`,
    `--kubelet-certificate-authority=${servers['node-ca.crt']}`,
    `--kubelet-client-certificate=${file('apiserver-kubelet-client.crt')}`,
    `--kubelet-client-key=${file('apiserver-kubelet-client.key')}`,
    '--kubelet-preferred-address-types=InternalIP',
    '--authorization-mode=Node,RBAC',
    '--service-cluster-ip-range=10.96.0.0/16',
  ];
}

function startControllers(): void {
  const flags = ['--kubeconfig', kubeconfig(), '--root-ca-file', servers['api-ca.crt'], '--secure-port=0'];
  const controllers = start(process.execPath, [wherryEntry, 'controllers', ...flags]);
  running.push(controllers);
  const keep = (chunk: Buffer) => {
    controllersLog += chunk;
  };
  controllers.stdout.on('data', keep);
  controllers.stderr.on('data', keep);
}

/** The same credentials, for the other API server and by its own authority. */
function redirected(path: string): string {
  const authority = readFileSync(servers['api-ca.crt'], 'base64');
  return readFileSync(path, 'utf8')
    .replace(/https:\/\/127\.0\.0\.1:\d+/g, `https://127.0.0.1:${port}`)
    .replace(/(certificate-authority-data"?: *"?)[\w+/=]+/g, `$1${authority}`);
}

/** Certificates of the API server and of the kubelet, each of an authority that signs nothing else. */
async function issueServers(): Promise<typeof servers> {
  const [api, node] = await Promise.all(['api', 'node'].map((name) => TestAuthority.create(`${name}-ca`)));
  assert.ok(api && node);
  const addresses = Object.values(networkInterfaces()).flatMap((all) => all ?? []);
  const hosts = addresses.filter(({ family }) => family === 'IPv4').map(({ address }) => address);
  const forApi = await api.issue({ name: 'kube-apiserver', hosts: [...hosts, '10.96.0.1', 'kubernetes'] });
  const forNode = await node.issue({ name: `system:node:${nodeName}`, hosts: [...hosts, nodeName] });
  return writeFiles(folder, {
    ...{ 'api-ca.crt': api.cert, 'api.crt': forApi.cert, 'api.key': forApi.key },
    ...{ 'node-ca.crt': node.cert, 'node.crt': forNode.cert, 'node.key': forNode.key },
  });
}

before(async () => {
  const program = await buildUpstream('kube-apiserver');
  folder = mkdtempSync(join(tmpdir(), 'upstream-apiserver-'));
  // One after the other: what has started when the next one fails is known to the end of the tests.
  donor = await TestNode.start(nodeName);
  criNode = await startCriNode({ podCidr: '10.95.0.0/24' });
  servers = await issueServers();
  const tree = join(folder, 'tree');
  mkdirSync(tree);
  makeBusyboxTree(tree);
  await criNode.images.build(packTree(tree), { name: image, cmd: ['sh'] });
  running.push(
    start(etcdProgram(), etcdFlags(join(folder, 'etcd'), etcdPort)),
    start(program, apiserverFlags()),
  );
  writeFileSync(kubeconfig(), redirected(donor.kubeconfig));
  await eventually(
    'the API server',
    async () => (await cluster.kubectl(['get', '--raw', '/readyz'])).code === 0,
  );
  startControllers();
  // What wherry's own API server makes at its start.
  const toKubelets = ['--clusterrole=system:kubelet-api-admin', '--user=kube-apiserver-kubelet-client'];
  await cluster.kubectlOk(['create', 'clusterrolebinding', 'kubelet-api-admin', ...toKubelets]);
  const nodeKubeconfig = join(folder, 'node.kubeconfig');
  writeFileSync(nodeKubeconfig, redirected(join(donor.dataDir, 'kubelet', 'kubeconfig')));
  const configuration = join(folder, 'config.json');
  writeFileSync(
    configuration,
    JSON.stringify({
      ...kubeletConfiguration({
        port: kubeletPort,
        endpoint: criNode.endpoint,
        cgroupRoot,
        podLogsDir: join(folder, 'pod-logs'),
        pki: join(donor.dataDir, 'pki'),
      }),
      ...{ tlsCertFile: servers['node.crt'], tlsPrivateKeyFile: servers['node.key'] },
    }),
  );
  const flags = [
    '--config',
    configuration,
    '--kubeconfig',
    nodeKubeconfig,
    '--root-dir',
    join(folder, 'root'),
  ];
  running.push(start(process.execPath, [wherryEntry, 'kubelet', ...flags, '--hostname-override', nodeName]));
  await eventually('the node', async () => {
    const words = ['wait', '--for=condition=Ready', `node/${nodeName}`, '--timeout=5s'];
    return (await cluster.kubectl(words)).code === 0;
  });
  const pod = scriptPod('ticker', tickerScript, { nodeName });
  await cluster.kubectlOk(['apply', '-f', '-'], { stdin: JSON.stringify(pod) });
  await cluster.kubectlOk(['wait', '--for=condition=Ready', 'pod/ticker', '--timeout=60s']);
});

after(async () => {
  await cluster.kubectl(['delete', 'pod', '--all', '--wait', '--timeout=60s']);
  // From the top down: the API server does not end in order once etcd has gone.
  for (const child of running.reverse()) await ended(child);
  await criNode?.close();
  await donor?.remove();
  removeGroup(foldersAt(detectCgroups(), cgroupRoot));
  const inside = readMountInfo().filter(({ mountPoint }) => mountPoint.startsWith(`${folder}/`));
  for (const { mountPoint } of inside.reverse()) unmount(mountPoint, { detach: true });
  rmSync(folder, { recursive: true, force: true });
});

test("the node has joined with a node's own rights, and renews its lease", async () => {
  const path = '{.spec.holderIdentity}';
  const words = ['-n', 'kube-node-lease', 'get', 'lease', nodeName, '-o', `jsonpath=${path}`];
  assert.equal(await cluster.kubectlOk(words), nodeName);
  assert.match(await cluster.kubectlOk(['get', 'node', nodeName, '-o', 'wide']), /Ready.*wherry:\/\//);
});

/** The status of an answer, or why there is none, by whom is believed and whose certificate is shown. */
function statusOf(url: string, { authority, shows }: { authority: string; shows: string }) {
  const file = (name: string) => readFileSync(join(donor.dataDir, 'pki', name));
  const identity = { ca: readFileSync(authority), cert: file(`${shows}.crt`), key: file(`${shows}.key`) };
  return new Promise<number | string | undefined>((resolve) => {
    const request = https.get(url, { ...identity, agent: false }, (answer) => {
      answer.resume();
      resolve(answer.statusCode);
    });
    request.on('error', ({ code }: NodeJS.ErrnoException) => resolve(code));
  });
}

test('what one authority signs opens nothing where another one counts', async () => {
  const pki = (name: string) => join(donor.dataDir, 'pki', name);
  const api = `https://127.0.0.1:${port}/api/v1/nodes`;
  const kubelet = `https://127.0.0.1:${kubeletPort}/pods`;
  const [ofApi, ofNode] = [servers['api-ca.crt'], servers['node-ca.crt']];
  const [user, atKubelets] = ['admin', 'apiserver-kubelet-client'];
  assert.equal(await statusOf(api, { authority: ofApi, shows: user }), 200);
  assert.equal(await statusOf(kubelet, { authority: ofNode, shows: atKubelets }), 200);
  assert.equal(await statusOf(api, { authority: ofApi, shows: atKubelets }), 401);
  assert.equal(await statusOf(kubelet, { authority: ofNode, shows: user }), 401);
  // Neither server passes for the other, or for one that an authority of clients signed.
  const unknown = 'UNABLE_TO_VERIFY_LEAF_SIGNATURE';
  assert.equal(await statusOf(api, { authority: ofNode, shows: user }), unknown);
  assert.equal(await statusOf(api, { authority: pki('ca.crt'), shows: user }), unknown);
  assert.equal(await statusOf(kubelet, { authority: pki('kubelet-ca.crt'), shows: atKubelets }), unknown);
});

checkSessions(() => cluster);

checkWorkloads(() => cluster);

test("our controllers ask upstream's server for nothing that it has not", () => {
  assert.doesNotMatch(
    controllersLog,
    / (warn|error) .*(could not find|forbidden: User|Cannot read|is not a function)/,
  );
});

test('events of the pod are there, and deletion is graceful and final', async () => {
  assert.match(await cluster.kubectlOk(['describe', 'pod', 'ticker']), /Started +\S+ +kubelet +/);
  await cluster.kubectlOk(['delete', 'pod', 'ticker', '--wait', '--timeout=30s']);
  await eventually('the runtime to be empty', async () => {
    const { items } = await criNode.client.runtime.listPodSandbox();
    return items.length === 0;
  });
});

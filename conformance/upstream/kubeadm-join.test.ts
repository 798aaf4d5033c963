/** kubeadm prepares a cluster that `wherry up` made, and lets machines join it. */
import assert from 'node:assert/strict';
import { copyFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { after, before, test } from 'node:test';
import { eventually, scriptPod, wherryEntry } from '../../e2e/node.ts';
import { clusterOf } from '../peers/cluster.ts';
import { checkSessions, tickerScript } from '../peers/session-checks.ts';
import { buildUpstream } from './build.ts';
import { ignoredChecks, initConfiguration, joinConfiguration } from './kubeadm-configuration.ts';
import { loadShell } from './kubeadm-images.ts';
import { Machine, Wire } from './kubeadm-machine.ts';

const wire = new Wire();
/** `wherry up` is here … */
let upper: Machine;
/** … and what joins, here. */
let second: Machine;
/** The same with upstream's kubelet. */
let third: Machine;
let joinCommand: string;
const taint = { key: 'mine', value: 'yes', effect: 'NoSchedule' };
const kubeconfig = () => upper.at('admin.conf');
const cluster = clusterOf(() => ({ KUBECONFIG: kubeconfig(), HOME: upper.folder }));
const wherry = (...words: string[]) =>
  upper.runOk([process.execPath, wherryEntry, ...words, '--data-dir', upper.at('node')], {
    timeoutMs: 90_000,
  });
/** kubeadm as it is run by the administrator. */
const kubeadm = (...words: string[]) => upper.runOk(['kubeadm', ...words, '--kubeconfig', kubeconfig()]);

/** The node's kubeconfig with an address that others reach, and with the authority of what comes to kubelets beside its own. */
async function writeKubeconfig(): Promise<void> {
  const pem = (name: string) => readFileSync(upper.at(`node/pki/${name}.crt`), 'utf8');
  writeFileSync(upper.at('both.crt'), `${pem('ca')}${pem('kubelet-ca')}`);
  copyFileSync(upper.at('node/kubeconfig'), kubeconfig());
  const name = (
    await upper.runOk(['kubectl', 'config', 'current-context', '--kubeconfig', kubeconfig()])
  ).trim();
  const cluster = ['set-cluster', name, '--server', `https://${upper.address}:6443`];
  const authority = ['--certificate-authority', upper.at('both.crt'), '--embed-certs'];
  await upper.runOk(['kubectl', 'config', ...cluster, ...authority, '--kubeconfig', kubeconfig()]);
}

before(async () => {
  const program = await buildUpstream('kubeadm');
  await wire.lay();
  upper = await Machine.start({ wire, name: 'upper', number: 1, kubeadm: program });
  second = await Machine.start({ wire, name: 'second', number: 2, kubeadm: program });
  const kubelet = `exec ${await buildUpstream('kubelet')} "$@"`;
  third = await Machine.start({ wire, name: 'third', number: 3, kubeadm: program, kubelet });
  for (const [machine, podCidr] of [
    [second, '10.244.2.0/24'],
    [third, '10.244.3.0/24'],
  ] as const) {
    await machine.startRuntime(podCidr);
    await loadShell(machine.images);
  }
  await wherry('up', '--detach');
  await writeKubeconfig();
});
after(async () => {
  await third?.remove();
  await second?.remove();
  await wherry('down', '--purge').catch(console.error);
  await upper?.remove();
  await wire.remove();
});

/** Runs `kubeadm join` on a machine, and waits for its node. */
async function join(machine: Machine, file: string, more = ''): Promise<void> {
  const ignored = `--ignore-preflight-errors=${ignoredChecks}${more}`;
  const said = await machine.runOk(['kubeadm', 'join', '--config', file, ignored], { timeoutMs: 180_000 });
  assert.match(said, /This node has joined the cluster/);
  const words = ['wait', '--for=condition=Ready', `node/${machine.name}`, '--timeout=60s'];
  await cluster.kubectlOk(words, { timeoutMs: 70_000 });
}

/** Approves what a node asks for its server, as kubeadm leaves it to somebody who looks. */
async function approveServing(machine: Machine): Promise<void> {
  const user = `system:node:${machine.name}`;
  const name = await eventually('the request for a serving certificate', async () => {
    const { items } = JSON.parse(await cluster.kubectlOk(['get', 'csr', '-o', 'json'])) as {
      items: { metadata: { name: string }; spec: { username: string; signerName: string } }[];
    };
    const mine = items.find(
      ({ spec }) => spec.username === user && spec.signerName === 'kubernetes.io/kubelet-serving',
    );
    return mine?.metadata.name;
  });
  await cluster.kubectlOk(['certificate', 'approve', name]);
}

const clusterInfo = () =>
  cluster.kubectlOk(['-n', 'kube-public', 'get', 'configmap', 'cluster-info', '-o', 'yaml']);

test('kubeadm puts its configuration, tokens and roles into a cluster of wherry', async () => {
  const file = initConfiguration(upper, { serverTLSBootstrap: true });
  await kubeadm('init', 'phase', 'upload-config', 'all', '--config', file);
  await kubeadm('init', 'phase', 'bootstrap-token', '--config', file);
  joinCommand = await kubeadm('token', 'create', '--print-join-command');
  assert.match(joinCommand, new RegExp(`^kubeadm join ${upper.address}:6443 --token `, 'm'));
});

test('a token is signed for in cluster-info as long as it is there', async () => {
  const token = (await kubeadm('token', 'create')).trim();
  const [id = ''] = token.split('.');
  assert.match(await kubeadm('token', 'list'), new RegExp(`^${token} `, 'm'));
  await eventually('the signature', async () => (await clusterInfo()).includes(`jws-kubeconfig-${id}: `));
  await kubeadm('token', 'delete', id);
  await eventually('no signature', async () => !(await clusterInfo()).includes(`jws-kubeconfig-${id}: `));
});

test('kubeadm join trusts nobody whose key it was not told', { timeout: 120_000 }, async () => {
  const other = joinCommand.replaceAll(/sha256:\w{60}/g, `sha256:${'0'.repeat(60)}`);
  const words = ['join', '--config', joinConfiguration(second, other), '--ignore-preflight-errors=all'];
  const { code, stderr } = await second.run(['kubeadm', ...words], { timeoutMs: 100_000 });
  assert.equal(code, 1);
  assert.match(stderr, /cluster CA found in cluster-info ConfigMap is invalid: none of the public keys/);
});

test('kubeadm join brings our kubelet in, with its taints', { timeout: 250_000 }, async () => {
  await join(second, joinConfiguration(second, joinCommand, [taint]));
  const template = '{.spec.taints}';
  const taints = await cluster.kubectlOk(['get', 'node', 'second', '-o', `jsonpath=${template}`]);
  assert.deepEqual(JSON.parse(taints), [taint]);
  assert.equal(existsSync(second.file('/etc/kubernetes/bootstrap-kubelet.conf')), false);
  await approveServing(second);
});

test('a pod that tolerates them runs there', async () => {
  const tolerations = [{ key: taint.key, operator: 'Exists' }];
  const nodeSelector = { 'kubernetes.io/hostname': 'second' };
  const pod = scriptPod('ticker', tickerScript, { tolerations, nodeSelector });
  await cluster.kubectlOk(['apply', '-f', '-'], { stdin: JSON.stringify(pod) });
  await cluster.kubectlOk(['wait', '--for=condition=Ready', 'pod/ticker', '--timeout=50s']);
  await eventually(
    'its server',
    async () => (await cluster.kubectl(['logs', 'ticker', '--tail=1'])).code === 0,
  );
});

checkSessions(() => cluster);

test('kubeadm reset takes it out of the machine', { timeout: 120_000 }, async () => {
  const words = ['reset', '--force', '--cri-socket', second.endpoint];
  await second.runOk(['kubeadm', ...words], { timeoutMs: 100_000 });
  assert.equal(second.isKubeletRunning, false);
  assert.deepEqual((await second.cri.runtime.listPodSandbox()).items, []);
  assert.deepEqual(second.podProcesses(), []);
  await cluster.kubectlOk(['delete', 'node', 'second']);
});

test("kubeadm join brings upstream's kubelet in, on our runtime", { timeout: 250_000 }, async () => {
  await join(third, joinConfiguration(third, joinCommand), ',KubeletVersion');
  await approveServing(third);
  const pod = scriptPod('other', 'echo here; exec sleep 1000', {
    nodeSelector: { 'kubernetes.io/hostname': 'third' },
  });
  await cluster.kubectlOk(['apply', '-f', '-'], { stdin: JSON.stringify(pod) });
  await cluster.kubectlOk(['wait', '--for=condition=Ready', 'pod/other', '--timeout=50s']);
  const log = await eventually('its log', async () => {
    const { code, stdout } = await cluster.kubectl(['logs', 'other']);
    return code === 0 && stdout;
  });
  assert.equal(log, 'here\n');
  assert.equal(await cluster.kubectlOk(['exec', 'other', '--', 'hostname']), 'other\n');
});

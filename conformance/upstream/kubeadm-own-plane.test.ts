/** kubeadm makes a cluster of our control plane: its manifests as they stand, with our programs in the places of upstream's. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { eventually } from '../../e2e/node.ts';
import { clusterOf } from '../peers/cluster.ts';
import { buildUpstream } from './build.ts';
import { ignoredChecks, initConfiguration, joinConfiguration } from './kubeadm-configuration.ts';
import { kubernetesVersion, loadNodeImages } from './kubeadm-images.ts';
import { Machine, Wire } from './kubeadm-machine.ts';
import { loadOwnControlPlane } from './own-plane-images.ts';

const wire = new Wire();
let first: Machine;
let second: Machine;
const cluster = clusterOf(() => ({
  KUBECONFIG: first.file('/etc/kubernetes/admin.conf'),
  HOME: first.folder,
}));
const ignoring = `--ignore-preflight-errors=${ignoredChecks}`;
const parts = ['kube-apiserver', 'kube-controller-manager', 'kube-scheduler'];
const said = (path: string) => ['-o', `jsonpath=${path}`];

before(async () => {
  const kubeadm = await buildUpstream('kubeadm');
  await wire.lay();
  first = await Machine.start({ wire, name: 'first', number: 1, kubeadm });
  second = await Machine.start({ wire, name: 'second', number: 2, kubeadm });
  for (const machine of [first, second]) {
    await machine.startRuntime();
    await loadOwnControlPlane(machine.images);
    await loadNodeImages(machine.images);
  }
});
after(async () => {
  await second?.remove();
  await first?.remove();
  await wire.remove();
});

/** What kubeadm says; fails with it, and with the ends of what our programs said. */
async function kubeadm(machine: Machine, ...words: string[]): Promise<string> {
  const { code, stdout, stderr } = await machine.run(['kubeadm', ...words], { timeoutMs: 280_000 });
  if (code === 0) return stdout;
  const logs = await machine.run(['sh', '-c', 'tail -n 12 /var/log/pods/*/*/*.log']);
  assert.fail(`kubeadm ${words.join(' ')}:\n${stdout}\n${stderr}\n${logs.stdout}\n${machine.processes.tail}`);
}

/** Waits until our programs on that node are ready. */
async function ready(machine: Machine): Promise<void> {
  const pods = parts.map((name) => `pod/${name}-${machine.name}`);
  await eventually(
    'the mirror pods',
    async () => (await cluster.kubectl(['-n', 'kube-system', 'get', ...pods])).code === 0,
    60_000,
  );
  const wait = ['-n', 'kube-system', 'wait', '--for=condition=Ready', ...pods, '--timeout=80s'];
  await cluster.kubectlOk(wait, { timeoutMs: 90_000 });
}

test('kubeadm init takes our programs for upstream’s', { timeout: 300_000 }, async () => {
  const file = initConfiguration(first, {}, { controlPlaneEndpoint: `${first.address}:6443` });
  const output = await kubeadm(first, 'init', '--upload-certs', '--config', file, ignoring);
  assert.match(output, /Your Kubernetes control-plane has initialized successfully!/);
  await ready(first);
});

test('each controller acts as its own account, and none lacks a right', { timeout: 120_000 }, async () => {
  const ready = ['wait', '--for=condition=Ready', 'node/first', '--timeout=80s'];
  await cluster.kubectlOk(ready, { timeoutMs: 90_000 });
  const deployment = ['create', 'deployment', 'worker', '--image=wherry-test', '--', 'sleep', '1000'];
  await cluster.kubectlOk(deployment);
  const pods = ['get', 'pods', '-l', 'app=worker', '-o', 'name'];
  await eventually('its pod', async () => (await cluster.kubectlOk(pods)) !== '');
  const names = await cluster.kubectlOk(['-n', 'kube-system', 'get', 'serviceaccounts', '-o', 'name']);
  for (const name of ['deployment-controller', 'replicaset-controller', 'node-controller'])
    assert.match(names, new RegExp(`^serviceaccount/${name}$`, 'm'));
  const log = await cluster.kubectlOk(['-n', 'kube-system', 'logs', 'kube-controller-manager-first']);
  assert.deepEqual(
    log.split('\n').filter((line) => /cannot (get|list|watch|create|update|patch|delete)/.test(line)),
    [],
  );
});

test('a second control plane joins, which its own kubelet starts', { timeout: 300_000 }, async () => {
  const command = await kubeadm(first, 'token', 'create', '--print-join-command');
  const certificates = await kubeadm(first, 'init', 'phase', 'upload-certs', '--upload-certs');
  const key = certificates.trim().split('\n').at(-1);
  const file = joinConfiguration(second, `${command.trim()} --certificate-key ${key}`);
  const output = await kubeadm(second, 'join', '--config', file, ignoring);
  assert.match(output, /This node has joined the cluster and a new control plane instance was created/);
  await ready(second);
  const holders = ['-n', 'kube-system', 'get', 'leases', ...parts.slice(1)];
  const names = await cluster.kubectlOk([...holders, ...said('{.items[*].spec.holderIdentity}')]);
  assert.equal(names.split(' ').length, 2);
});

test('renewed certificates are taken over, and kubeadm finds all as it left it', {
  timeout: 200_000,
}, async () => {
  const served = () =>
    first.runOk([
      'sh',
      '-c',
      `echo | openssl s_client -connect ${first.address}:6443 2>/dev/null | openssl x509 -noout -serial`,
    ]);
  const before = await served();
  await kubeadm(first, 'certs', 'renew', 'all');
  await eventually('the renewed certificate', async () => (await served()) !== before, 60_000);
  assert.match(await kubeadm(first, 'certs', 'check-expiration'), /^apiserver .* 364d/m);
  await cluster.kubectlOk(['get', 'nodes']);
});

test('kubeadm upgrade plans by what it finds', { timeout: 100_000 }, async () => {
  const plan = await kubeadm(first, 'upgrade', 'plan', kubernetesVersion, ignoring);
  assert.match(plan, /Target version: v1\.36\.2/);
});

test('kubeadm reset takes the second control plane out, and the first goes on', {
  timeout: 200_000,
}, async () => {
  await kubeadm(second, 'reset', '--force', '--cri-socket', second.endpoint);
  assert.deepEqual(second.podProcesses(), []);
  await cluster.kubectlOk(['delete', 'node', 'second']);
  assert.match(await cluster.kubectlOk(['get', 'nodes', '-o', 'name']), /^node\/first\n$/);
});

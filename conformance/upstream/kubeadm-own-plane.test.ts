/** kubeadm makes a cluster of our control plane: its manifests as they stand, with our programs in the places of upstream's. */
import assert from 'node:assert/strict';
import { after, before, describe, it, test } from 'node:test';
import { eventually } from '../../e2e/node.ts';
import { clusterOf } from '../peers/cluster.ts';
import { buildUpstream } from './build.ts';
import {
  changeConfigMap,
  ignoredChecks,
  initConfiguration,
  joinConfiguration,
} from './kubeadm-configuration.ts';
import { imageRepository, kubernetesVersion, loadMachineImages } from './kubeadm-images.ts';
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
const restarts = said('{.items[*].status.containerStatuses[*].restartCount}');

before(async () => {
  const kubeadm = await buildUpstream('kubeadm');
  await wire.lay();
  first = await Machine.start({ wire, name: 'first', number: 1, kubeadm });
  second = await Machine.start({ wire, name: 'second', number: 2, kubeadm });
  for (const machine of [first, second]) {
    await machine.startRuntime();
    await loadOwnControlPlane(machine.images);
    await loadMachineImages(machine.images);
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
  const file = initConfiguration(
    ...[first, {}, { controlPlaneEndpoint: `${first.address}:6443` }],
    // As kubeadm writes it where nobody says how.
    { mode: '' },
  );
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
  // kubeadm ends by starting the kubelet anew.
  const log = await eventually('the log', async () => {
    const { code, stdout } = await cluster.kubectl([
      ...['-n', 'kube-system', 'logs', 'kube-controller-manager-first'],
    ]);
    return code === 0 && stdout;
  });
  assert.deepEqual(
    log.split('\n').filter((line) => /cannot (get|list|watch|create|update|patch|delete)/.test(line)),
    [],
  );
});

test('kube-proxy is `wherry network` by kubeadm’s DaemonSet and ConfigMap as they stand', {
  timeout: 200_000,
}, async () => {
  const addon = ['-n', 'kube-system', 'get', 'daemonset', 'kube-proxy'];
  assert.equal(
    await cluster.kubectlOk([...addon, ...said('{.spec.template.spec.containers[0].command}')]),
    '["/usr/local/bin/kube-proxy","--config=/var/lib/kube-proxy/config.conf","--hostname-override=$(NODE_NAME)"]',
  );
  const rollout = ['-n', 'kube-system', 'rollout', 'status', 'daemonset/kube-proxy', '--timeout=90s'];
  await cluster.kubectlOk(rollout, { timeoutMs: 100_000 });
  await eventually('its health', async () => {
    const { code, stdout } = await first.run(['wget', '-qO-', 'http://127.0.0.1:10256/healthz']);
    return code === 0 && /"healthy":true,.*"nodeEligible":true/.test(stdout);
  });
  assert.equal(await first.runOk(['wget', '-qO-', 'http://127.0.0.1:10249/proxyMode']), 'nftables');
  // The services of a cluster that nobody has told its range: pods and the machine reach the API server by its service.
  await eventually('the API server by its service', async () => {
    const words = ['curl', '-ks', '--max-time', '3', 'https://10.96.0.1/version'];
    return (await first.run(words)).stdout.includes('"v1.36.2');
  });
  const log = await cluster.kubectlOk(['-n', 'kube-system', 'logs', 'daemonset/kube-proxy']);
  assert.deepEqual(
    log.split('\n').filter((line) => /has no effect|cannot|forbidden/.test(line)),
    [],
  );
  const kept = await first.runOk(['cat', '/proc/sys/net/netfilter/nf_conntrack_tcp_timeout_close_wait']);
  assert.equal(kept, '3600\n');
});

test('kube-proxy starts anew by another configuration, and services go on meanwhile', {
  timeout: 200_000,
}, async () => {
  await changeConfigMap(cluster, 'kube-proxy', 'config.conf', (text) =>
    text.replace('metricsBindAddress: ""', 'metricsBindAddress: "127.0.0.1:10239"'),
  );
  await eventually(
    'its figures at another port',
    async () => (await first.run(['wget', '-qO-', 'http://127.0.0.1:10239/proxyMode'])).stdout === 'nftables',
    150_000,
  );
  const words = ['curl', '-ks', '--max-time', '3', 'https://10.96.0.1/version'];
  assert.match(await first.runOk(words), /v1\.36\.2/);
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

test('kubeadm upgrade apply replaces the first control plane, and upgrade node the second, pod by pod', {
  timeout: 600_000,
}, async () => {
  const more = '{extraArgs: [{name: v, value: "1"}]}';
  await changeConfigMap(cluster, 'kubeadm-config', 'ClusterConfiguration', (text) =>
    text
      .replace('apiServer: {}', `apiServer: ${more}`)
      .replace('controllerManager: {}', `controllerManager: ${more}`)
      .replace('scheduler: {}', `scheduler: ${more}`),
  );
  const patches = (machine: Machine) => ['--patches', machine.at('patches'), ignoring];
  const outputs = [
    await kubeadm(first, 'upgrade', 'apply', kubernetesVersion, '--yes', ...patches(first)),
    await kubeadm(second, 'upgrade', 'node', ...patches(second)),
  ];
  assert.match(outputs[0] ?? '', /SUCCESS! A control plane node of your cluster was upgraded to "v1\.36\.2"/);
  for (const [index, machine] of [first, second].entries()) {
    await ready(machine);
    for (const part of parts) {
      assert.match(outputs[index] ?? '', new RegExp(`Component "${part}" upgraded successfully`));
      const pod = ['-n', 'kube-system', 'get', 'pod', `${part}-${machine.name}`];
      assert.match(await cluster.kubectlOk([...pod, ...said('{.spec.containers[0].command}')]), /--v=1/);
    }
  }
  assert.equal(await cluster.kubectlOk(['get', 'pods', '-l', 'app=worker', ...restarts]), '0');
});

test('kubeadm reset takes the second control plane out, and the first goes on', {
  timeout: 200_000,
}, async () => {
  await kubeadm(second, 'reset', '--force', '--cri-socket', second.endpoint);
  assert.deepEqual(second.podProcesses(), []);
  await cluster.kubectlOk(['delete', 'node', 'second']);
  assert.match(await cluster.kubectlOk(['get', 'nodes', '-o', 'name']), /^node\/first\n$/);
});

/** A program that asks the API server five times a second, by what its account has now. */
const askingProgram = `
const { readFileSync } = require('fs');
const of = (name) => readFileSync('/var/run/secrets/kubernetes.io/serviceaccount/' + name, 'utf8');
const [host, port] = [process.env.KUBERNETES_SERVICE_HOST, process.env.KUBERNETES_SERVICE_PORT];
setInterval(() => {
  const headers = { authorization: 'Bearer ' + of('token') };
  require('https')
    .get({ host, port, path: '/api', ca: of('ca.crt'), headers, agent: false, timeout: 3000 }, (answer) => {
      answer.resume();
      console.log('answered ' + answer.statusCode);
    })
    .on('error', (error) => console.log('failed ' + (error.code || error.message)));
}, 200);`;

/** A pod that goes on asking, in the image that has Node. */
const askingPod = (name: string) => ({
  ...{ apiVersion: 'v1', kind: 'Pod', metadata: { name, labels: { app: 'asker' } } },
  spec: {
    nodeName: 'first',
    terminationGracePeriodSeconds: 0,
    tolerations: [{ operator: 'Exists' }],
    containers: [
      {
        ...{ name: 'asker', image: `${imageRepository}/kube-apiserver:${kubernetesVersion}` },
        ...{ imagePullPolicy: 'Never', command: ['/opt/node', '-e', askingProgram] },
      },
    ],
  },
});

const pki = '/etc/kubernetes/pki';
const configurations = ['admin', 'super-admin', 'kubelet', 'controller-manager', 'scheduler'];
const shell = (script: string) => first.runOk(['sh', '-ec', script], { timeoutMs: 60_000 });

/** Lets the kubelet make a part of the control plane anew: another label is another pod. */
async function replaced(names: readonly string[], turn: string): Promise<void> {
  for (const name of names) {
    const label = `s/^    tier: control-plane.*/    tier: control-plane\\n    turn: ${turn}/`;
    await shell(`sed -i -e '/^    turn: /d' -e '${label}' /etc/kubernetes/manifests/${name}.yaml`);
  }
  await eventually(
    `${names} of the turn ${turn}`,
    async () => {
      const pods = ['-n', 'kube-system', 'get', 'pods', '-l', `turn=${turn}`];
      const { code, stdout } = await cluster.kubectl([...pods, ...said('{.items[*].metadata.name}')]);
      return code === 0 && names.every((name) => stdout.includes(`${name}-first`));
    },
    120_000,
  );
  await ready(first);
}

/** Has everybody's kubeconfig believe in what that file holds, and the kubelet read it. */
async function believeIn(file: string): Promise<void> {
  await shell(`data=$(base64 -w0 ${file})
for name in ${configurations.join(' ')}; do
  sed -i "s/certificate-authority-data: .*/certificate-authority-data: $data/" /etc/kubernetes/$name.conf
done
systemctl restart kubelet`);
}

/** Waits until pods are given so many authorities, and what was asked until then was never refused. */
async function toldAuthorities(count: number): Promise<void> {
  const ca = ['exec', 'asker', '--', 'cat', '/var/run/secrets/kubernetes.io/serviceaccount/ca.crt'];
  await eventually(
    `${count} authorities in the pod`,
    async () => (await cluster.kubectlOk(ca)).split('BEGIN CERTIFICATE').length - 1 === count,
    150_000,
  );
  await goesOn();
}

/** Answers come, and of those who asked none was refused for what he showed, or found another than he believes in. */
async function goesOn(name = 'asker'): Promise<void> {
  const log = () => cluster.kubectlOk(['logs', name]);
  const answers = (text: string) => text.split('\n').filter((line) => line === 'answered 200').length;
  const before = answers(await log());
  await eventually('further answers', async () => answers(await log()) > before + 5, 30_000);
  const expected = /^(answered (200|5\d\d)|failed (ECONNREFUSED|ECONNRESET|ETIMEDOUT|EPIPE|.*socket.*))?$/;
  assert.deepEqual(
    [...new Set((await log()).split('\n'))].filter((line) => !expected.test(line)),
    [],
  );
}

describe('another authority and other keys of accounts take the places of the first', {
  timeout: 1_200_000,
}, () => {
  it('is believed in beside the first, by servers and pods', async () => {
    await cluster.kubectlOk(['apply', '-f', '-'], { stdin: JSON.stringify(askingPod('asker')) });
    await cluster.kubectlOk(['wait', '--for=condition=Ready', 'pod/asker', '--timeout=60s']);
    await goesOn();
    await shell(`cd ${pki}
cp ca.crt old-ca.crt
cp ../admin.conf ../old-admin.conf
openssl req -x509 -newkey rsa:2048 -nodes -keyout new-ca.key -out new-ca.crt -days 3650 -subj /CN=kubernetes
cat old-ca.crt new-ca.crt > both.crt
cp both.crt ca.crt`);
    await believeIn(`${pki}/both.crt`);
    await replaced(parts.slice(1), 'both');
    await toldAuthorities(2);
  });

  it('tokens of the first key are good beside those of the second', async () => {
    await shell(`cd ${pki}
openssl genrsa -out new-sa.key 2048
openssl rsa -in new-sa.key -pubout -out new-sa.pub
cd ../manifests
sed -i -e 's|^    - --service-account-key-file=.*|&\\n    - --service-account-key-file=${pki}/new-sa.pub|' \
  -e 's|^    - --service-account-signing-key-file=.*|    - --service-account-signing-key-file=${pki}/new-sa.key|' kube-apiserver.yaml
sed -i 's|^    - --service-account-private-key-file=.*|    - --service-account-private-key-file=${pki}/new-sa.key|' kube-controller-manager.yaml`);
    await replaced(parts, 'keys');
    await cluster.kubectlOk(['apply', '-f', '-'], { stdin: JSON.stringify(askingPod('later')) });
    await cluster.kubectlOk(['wait', '--for=condition=Ready', 'pod/later', '--timeout=60s']);
    await goesOn('later');
    await goesOn();
  });

  it('signs what kubeadm renews, and the kubelet goes on by a certificate of its', async () => {
    await shell(`cd ${pki}
cat new-ca.crt old-ca.crt > ca.crt
cp new-ca.key ca.key`);
    await kubeadm(first, 'certs', 'renew', 'all');
    await believeIn(`${pki}/both.crt`);
    await replaced(parts, 'renewed');
    const chain = `echo | openssl s_client -connect ${first.address}:6443 -CAfile ${pki}/new-ca.crt 2>/dev/null`;
    await eventually('a certificate of the new authority', async () =>
      (await shell(chain)).includes('Verify return code: 0'),
    );
    const words = ['kubeconfig', 'user', '--org', 'system:nodes', '--client-name', 'system:node:first'];
    const kubeconfig = await kubeadm(first, ...words, '--config', first.at('init.yaml'));
    await first.runOk(['sh', '-ec', 'cat > /etc/kubernetes/kubelet.conf'], { stdin: kubeconfig });
    await shell('rm /var/lib/kubelet/pki/kubelet-client-*');
    await believeIn(`${pki}/both.crt`);
    await eventually('its own certificate', async () => {
      const shown = 'openssl verify -CAfile new-ca.crt /var/lib/kubelet/pki/kubelet-client-current.pem';
      return (await first.run(['sh', '-c', `cd ${pki}; ${shown}`])).code === 0;
    });
    await goesOn();
  });

  it('is believed in alone at last, and whoever shows a certificate of the first is nobody', async () => {
    await shell(`cp ${pki}/new-ca.crt ${pki}/ca.crt`);
    await believeIn(`${pki}/new-ca.crt`);
    await replaced(parts.slice(1), 'alone');
    await toldAuthorities(1);
    await shell(`data=$(base64 -w0 ${pki}/new-ca.crt)
sed -i "s/certificate-authority-data: .*/certificate-authority-data: $data/" /etc/kubernetes/old-admin.conf`);
    const old = ['--kubeconfig', first.file('/etc/kubernetes/old-admin.conf'), 'get', 'nodes'];
    await eventually('the first authority to be out', async () =>
      /\(Unauthorized\)|must be logged in/.test((await cluster.kubectl(old)).stderr),
    );
    const ready = ['wait', '--for=condition=Ready', 'node/first', '--timeout=60s'];
    await cluster.kubectlOk(ready, { timeoutMs: 70_000 });
    assert.equal(await cluster.kubectlOk(['get', 'pods', '-l', 'app=asker', ...restarts]), '0 0');
  });
});

/** kubeadm makes a cluster of upstream's control plane on our kubelet and our runtime, and takes it away again. */
import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { after, before, test } from 'node:test';
import { eventually, scriptPod } from '../../e2e/node.ts';
import { clusterOf } from '../peers/cluster.ts';
import { checkSessions, tickerScript } from '../peers/session-checks.ts';
import { buildUpstream } from './build.ts';
import {
  changeConfigMap,
  ignoredChecks,
  initConfiguration,
  joinConfiguration,
} from './kubeadm-configuration.ts';
import { loadControlPlane, loadNodeImages } from './kubeadm-images.ts';
import { Machine, Wire } from './kubeadm-machine.ts';

const wire = new Wire();
let first: Machine;
let second: Machine;
const cluster = clusterOf(() => ({
  KUBECONFIG: first.file('/etc/kubernetes/admin.conf'),
  HOME: first.folder,
}));

before(async () => {
  const kubeadm = await buildUpstream('kubeadm');
  await wire.lay();
  first = await Machine.start({ wire, name: 'first', number: 1, kubeadm });
  await first.startRuntime();
  await loadControlPlane(first.images);
  await loadNodeImages(first.images);
  second = await Machine.start({ wire, name: 'second', number: 2, kubeadm });
  await second.startRuntime();
  await loadNodeImages(second.images);
});
after(async () => {
  await second?.remove();
  await first?.remove();
  await wire.remove();
});

test('kubeadm init is content with our kubelet and our runtime', { timeout: 300_000 }, async () => {
  const words = ['init', '--config', initConfiguration(first)];
  const { code, stdout, stderr } = await first.run(
    ['kubeadm', ...words, `--ignore-preflight-errors=${ignoredChecks}`],
    { timeoutMs: 280_000 },
  );
  assert.equal(code, 0, `${stdout}\n${stderr}\n${first.processes.tail}`);
  assert.match(stdout, /Your Kubernetes control-plane has initialized successfully!/);
  const warnings = stderr.split('\n').filter((line) => line.includes('WARNING'));
  assert.deepEqual(
    warnings.filter((line) => !line.includes(ignoredChecks)),
    [],
  );
});

test('the kubelet goes on with the certificate that it rotates', () => {
  const kubeconfig = readFileSync(first.file('/etc/kubernetes/kubelet.conf'), 'utf8');
  assert.match(kubeconfig, /client-certificate: \/var\/lib\/kubelet\/pki\/kubelet-client-current\.pem/);
});

test('the node is Ready, as a control plane', { timeout: 90_000 }, async () => {
  await cluster.kubectlOk(['wait', '--for=condition=Ready', 'node/first', '--timeout=60s'], {
    timeoutMs: 70_000,
  });
  assert.match(await cluster.kubectlOk(['get', 'nodes']), /^first +Ready +control-plane /m);
  const template = '{.spec.taints[*].key} {.spec.podCIDR}';
  await eventually('one taint alone', async () => {
    const said = await cluster.kubectlOk(['get', 'node', 'first', '-o', `jsonpath=${template}`]);
    return said === 'node-role.kubernetes.io/control-plane 10.244.0.0/24';
  });
});

test('its static pods are shown as mirror pods, and are Ready', { timeout: 120_000 }, async () => {
  const names = ['etcd', 'kube-apiserver', 'kube-controller-manager', 'kube-scheduler'];
  const pods = names.map((name) => `pod/${name}-first`);
  await eventually(
    'the mirror pods',
    async () => (await cluster.kubectl(['-n', 'kube-system', 'get', ...pods])).code === 0,
    60_000,
  );
  await cluster.kubectlOk(['-n', 'kube-system', 'wait', '--for=condition=Ready', ...pods, '--timeout=50s']);
  const template = '{.metadata.annotations.kubernetes\\.io/config\\.source}';
  for (const pod of pods)
    assert.equal(
      await cluster.kubectlOk(['-n', 'kube-system', 'get', pod, '-o', `jsonpath=${template}`]),
      'file',
    );
});

test('a pod gets an address of the range that the controller manager gave the node', async () => {
  const serviceAccount = ['get', 'serviceaccount', 'default'];
  await eventually('the account', async () => (await cluster.kubectl(serviceAccount)).code === 0);
  const tolerations = [{ operator: 'Exists' }];
  const pod = scriptPod('ticker', tickerScript, { tolerations });
  await cluster.kubectlOk(['apply', '-f', '-'], { stdin: JSON.stringify(pod) });
  await cluster.kubectlOk(['wait', '--for=condition=Ready', 'pod/ticker', '--timeout=50s']);
  assert.match(
    await cluster.kubectlOk(['get', 'pod', 'ticker', '-o', 'jsonpath={.status.podIP}']),
    /^10\.244\.0\./,
  );
});

checkSessions(() => cluster);

test('a manifest that changes is followed by another pod, one that goes by none', {
  timeout: 120_000,
}, async () => {
  const path = '/etc/kubernetes/manifests/kube-scheduler.yaml';
  const uid = () =>
    cluster.kubectlOk([
      '-n',
      'kube-system',
      'get',
      'pod',
      'kube-scheduler-first',
      '-o',
      'jsonpath={.metadata.uid}',
    ]);
  const before = await uid();
  await first.runOk(['sed', '-i', 's/--leader-elect=true/--leader-elect=false/', path]);
  await eventually('another mirror pod', async () => (await uid().catch(() => before)) !== before, 60_000);
  await cluster.kubectlOk([
    '-n',
    'kube-system',
    'wait',
    '--for=condition=Ready',
    'pod/kube-scheduler-first',
    '--timeout=50s',
  ]);
});

test('kubeadm token create, certs check-expiration and config take the cluster for one of theirs', async () => {
  const token = (await first.runOk(['kubeadm', 'token', 'create'])).trim();
  assert.match(token, /^[a-z0-9]{6}\.[a-z0-9]{16}$/);
  assert.match(await first.runOk(['kubeadm', 'token', 'list']), new RegExp(token));
  const rows = (await first.runOk(['kubeadm', 'certs', 'check-expiration'])).split('\n');
  for (const name of [
    'admin.conf',
    'apiserver',
    'apiserver-kubelet-client',
    'etcd-server',
    'front-proxy-client',
  ])
    assert.ok(
      rows.some((row) => row.startsWith(`${name} `) && row.includes('364d')),
      `${name}: ${rows.join('\n')}`,
    );
});

test('kubeadm join brings a second machine in, with the next range of pods', {
  timeout: 250_000,
}, async () => {
  const command = await first.runOk(['kubeadm', 'token', 'create', '--print-join-command']);
  const file = joinConfiguration(second, command);
  const words = ['join', '--config', file, `--ignore-preflight-errors=${ignoredChecks}`];
  const said = await second.runOk(['kubeadm', ...words], { timeoutMs: 180_000 });
  assert.match(said, /This node has joined the cluster/);
  const ready = ['wait', '--for=condition=Ready', 'node/second', '--timeout=60s'];
  await cluster.kubectlOk(ready, { timeoutMs: 70_000 });
  const template = 'jsonpath={.spec.podCIDR}';
  assert.equal(await cluster.kubectlOk(['get', 'node', 'second', '-o', template]), '10.244.1.0/24');
});

test('pods of both reach each other over routes between the machines', { timeout: 120_000 }, async () => {
  await first.runOk(['ip', 'route', 'add', '10.244.1.0/24', 'via', second.address]);
  await second.runOk(['ip', 'route', 'add', '10.244.0.0/24', 'via', first.address]);
  const pod = scriptPod('other', tickerScript);
  await cluster.kubectlOk(['apply', '-f', '-'], { stdin: JSON.stringify(pod) });
  await cluster.kubectlOk(['wait', '--for=condition=Ready', 'pod/other', '--timeout=50s']);
  const [here, there] = await Promise.all(
    ['ticker', 'other'].map((name) =>
      cluster.kubectlOk(['get', 'pod', name, '-o', 'jsonpath={.spec.nodeName} {.status.podIP}']),
    ),
  );
  assert.match(here!, /^first 10\.244\.0\./);
  assert.match(there!, /^second 10\.244\.1\./);
  const says = (from: string, to: string) => {
    const script = `echo hello from ${from} | nc -w 2 ${to.split(' ')[1]} 9000`;
    return cluster.kubectlOk(['exec', from, '--', 'sh', '-c', script]);
  };
  assert.equal(await says('ticker', there!), 'hello from ticker\n');
  assert.equal(await says('other', here!), 'hello from other\n');
});

test('kube-proxy and CoreDNS, as kubeadm installs them, lead to services by address and by name', {
  timeout: 150_000,
}, async () => {
  for (const name of ['daemonset/kube-proxy', 'deployment/coredns']) {
    const words = ['-n', 'kube-system', 'rollout', 'status', name, '--timeout=60s'];
    await cluster.kubectlOk(words, { timeoutMs: 70_000 });
  }
  await cluster.kubectlOk(['label', 'pod', 'ticker', 'app=ticker']);
  await cluster.kubectlOk(['expose', 'pod', 'ticker', '--port=80', '--target-port=9000']);
  const template = 'jsonpath={.spec.clusterIP}';
  const address = await cluster.kubectlOk(['get', 'service', 'ticker', '-o', template]);
  const inOther = (script: string) => cluster.kubectl(['exec', 'other', '--', 'sh', '-c', script]);
  await eventually('the service', async () => {
    const { stdout } = await inOther(`echo hello | nc -w 2 ${address} 80`);
    return stdout === 'hello\n';
  });
  await eventually('its name', async () => {
    const { stdout } = await inOther('nslookup ticker.default.svc.cluster.local');
    return stdout.includes(`Address: ${address}`);
  });
});

test('kubeadm upgrade node follows a changed configuration of kubelets', { timeout: 120_000 }, async () => {
  await changeConfigMap(cluster, 'kubelet-config', 'kubelet', (text) => `${text}maxPods: 77\n`);
  const words = ['--patches', second.at('patches'), `--ignore-preflight-errors=${ignoredChecks}`];
  const said = await second.runOk(['kubeadm', 'upgrade', 'node', ...words]);
  assert.match(said, /The kubelet configuration for this node was successfully upgraded/);
  await second.runOk(['systemctl', 'restart', 'kubelet']);
  const template = 'jsonpath={.status.capacity.pods}';
  await eventually(
    'as many pods',
    async () => (await cluster.kubectlOk(['get', 'node', 'second', '-o', template])) === '77',
  );
});

test('kubeadm upgrade node replaces a control plane pod by pod, and others run on', {
  timeout: 300_000,
}, async () => {
  const more = '{extraArgs: [{name: v, value: "1"}]}';
  await changeConfigMap(cluster, 'kubeadm-config', 'ClusterConfiguration', (text) =>
    text
      .replace('apiServer: {}', `apiServer: ${more}`)
      .replace('controllerManager: {}', `controllerManager: ${more}`),
  );
  const words = ['--patches', first.at('patches'), `--ignore-preflight-errors=${ignoredChecks}`];
  const said = await first.runOk(['kubeadm', 'upgrade', 'node', ...words], { timeoutMs: 280_000 });
  for (const name of ['kube-apiserver', 'kube-controller-manager'])
    assert.match(said, new RegExp(`Component "${name}" upgraded successfully`));
  const template = 'jsonpath={.spec.containers[0].command}';
  const pod = ['-n', 'kube-system', 'get', 'pod', 'kube-apiserver-first', '-o', template];
  assert.match(await cluster.kubectlOk(pod), /--v=1/);
  const restarts = 'jsonpath={.status.containerStatuses[0].restartCount}';
  assert.equal(await cluster.kubectlOk(['get', 'pod', 'ticker', '-o', restarts]), '0');
});

test('kubeadm reset takes the second one out', { timeout: 120_000 }, async () => {
  await second.runOk(['kubeadm', 'reset', '--force', '--cri-socket', second.endpoint], {
    timeoutMs: 100_000,
  });
  assert.deepEqual((await second.cri.runtime.listPodSandbox()).items, []);
  assert.deepEqual(second.podProcesses(), []);
});

test('kubeadm reset leaves no pod, no process, no mount and no file', {
  timeout: 180_000,
}, async () => {
  const words = ['kubeadm', 'reset', '--force', '--cri-socket', first.endpoint];
  const { code, stdout, stderr } = await first.run(words, { timeoutMs: 170_000 });
  assert.equal(code, 0, `${stdout}\n${stderr}`);
  assert.equal(first.isKubeletRunning, false);
  assert.deepEqual((await first.cri.runtime.listPodSandbox()).items, []);
  assert.deepEqual((await first.cri.runtime.listContainers()).containers, []);
  assert.deepEqual(first.podProcesses(), []);
  const mounts = await first.runOk(['cat', '/proc/self/mounts']);
  assert.doesNotMatch(mounts, /\/var\/lib\/kubelet/);
  for (const folder of [
    '/var/lib/kubelet',
    '/var/lib/etcd',
    '/etc/kubernetes/manifests',
    '/etc/kubernetes/pki',
  ])
    assert.deepEqual(existsSync(first.file(folder)) ? readdirSync(first.file(folder)) : [], [], folder);
});

/** Programs that many clusters run, on a real node, with the manifests that they are delivered with. */
import assert from 'node:assert/strict';
import { X509Certificate } from 'node:crypto';
import { copyFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { run } from '../../e2e/command.ts';
import { freePort } from '../../e2e/free-port.ts';
import { testImage } from '../../e2e/image.ts';
import { eventually, scriptPod, TestNode } from '../../e2e/node.ts';
import { startGoPeer } from '../peers/go-process.ts';
import { buildProgram, folderOf } from './build.ts';

let node: TestNode;
let folder: string;

before(async () => {
  folder = mkdtempSync(join(tmpdir(), 'wherry-ecosystem-'));
  node = await TestNode.start('ecosystem');
});
after(async () => {
  await node?.remove();
  if (folder) rmSync(folder, { recursive: true, force: true });
});

test('stern follows the logs of pods that come and go', async () => {
  const stern = await buildProgram('stern');
  await node.apply(scriptPod('talks-one', 'echo first; sleep 100000'));
  const words = ['talks', '--kubeconfig', node.kubeconfig, '--color', 'never'];
  const once = await run(stern, [...words, '--no-follow']);
  assert.match(once.stdout, /^talks-one main first$/m);
  await using following = startGoPeer(stern, words);
  await following.output(/^talks-one main first$/m);
  await node.apply(scriptPod('talks-two', 'echo second; sleep 100000'));
  await following.output(/^talks-two main second$/m);
  await node.kubectlOk(['delete', 'pod', 'talks-one', 'talks-two', '--now']);
});

test('cert-manager makes an authority that signs itself, and certificates of it', async () => {
  const program = await buildProgram('certmanager');
  const definitions = join(await folderOf('github.com/cert-manager/cert-manager'), 'deploy/crds');
  await node.kubectlOk(['apply', '-f', definitions]);
  await node.kubectlOk(['wait', '--for=condition=Established', 'crd', '--all', '--timeout=30s']);
  await using _manager = startGoPeer(program, [node.kubeconfig]);
  const apiVersion = 'cert-manager.io/v1';
  const certificate = (name: string, spec: object) => ({
    ...{ apiVersion, kind: 'Certificate', metadata: { name } },
    spec: { secretName: name, ...spec },
  });
  const itself = { name: 'itself', kind: 'ClusterIssuer' };
  await node.create(
    { apiVersion, kind: 'ClusterIssuer', metadata: { name: 'itself' }, spec: { selfSigned: {} } },
    certificate('authority', { isCA: true, commonName: 'authority', issuerRef: itself }),
    { apiVersion, kind: 'Issuer', metadata: { name: 'ours' }, spec: { ca: { secretName: 'authority' } } },
    certificate('web', { dnsNames: ['web.example.com'], issuerRef: { name: 'ours' } }),
  );
  await node.kubectlOk(['wait', '--for=condition=Ready', 'certificate', '--all', '--timeout=60s']);
  const made = async (secret: string) => {
    const words = ['get', 'secret', secret, '-o', 'jsonpath={.data.tls\\.crt}'];
    return new X509Certificate(Buffer.from(await node.kubectlOk(words), 'base64'));
  };
  const [authority, web] = [await made('authority'), await made('web')];
  assert.ok(web.verify(authority.publicKey));
  assert.equal(web.subjectAltName, 'DNS:web.example.com');
  const told = await node.kubectlOk(['describe', 'certificate', 'web']);
  assert.match(told, /The certificate has been successfully issued/);
});

test('metrics-server takes the place of the metrics that this server has of its own', async () => {
  const program = await buildProgram('metrics-server');
  const manifests = join(await folderOf('sigs.k8s.io/metrics-server'), 'manifests/base');
  const namespace = 'kube-system';
  await node.kubectlOk(['apply', '-k', manifests]);
  // Its image is nowhere here: the program runs on the machine, with the account that its manifests make.
  await node.kubectlOk(['-n', namespace, 'delete', 'deployment,service', 'metrics-server']);
  const port = await freePort();
  const words = ['get', 'node', '-o', 'jsonpath={.items[0].status.addresses[0].address}'];
  const address = await node.kubectlOk(words);
  const labels = { 'kubernetes.io/service-name': 'metrics-server' };
  await node.create(
    {
      ...{ apiVersion: 'v1', kind: 'Service', metadata: { name: 'metrics-server', namespace } },
      spec: { ports: [{ name: 'https', port: 443, targetPort: port }] },
    },
    {
      ...{ apiVersion: 'discovery.k8s.io/v1', kind: 'EndpointSlice', addressType: 'IPv4' },
      metadata: { name: 'metrics-server', namespace, labels },
      ports: [{ name: 'https', port }],
      endpoints: [{ addresses: [address], conditions: { ready: true } }],
    },
  );
  const kubeconfig = join(folder, 'kubeconfig');
  copyFileSync(node.kubeconfig, kubeconfig);
  const token = await node.kubectlOk(['-n', namespace, 'create', 'token', 'metrics-server']);
  const own = { KUBECONFIG: kubeconfig, HOME: folder };
  await run('kubectl', ['config', 'set-credentials', 'it', `--token=${token.trim()}`], { env: own });
  await run('kubectl', ['config', 'set-context', '--current', '--user=it'], { env: own });
  const flags = {
    ...{ kubeconfig, 'authentication-kubeconfig': kubeconfig, 'authorization-kubeconfig': kubeconfig },
    ...{ 'kubelet-use-node-status-port': true, 'kubelet-preferred-address-types': 'InternalIP' },
    'kubelet-certificate-authority': join(node.dataDir, 'pki/kubelet-ca.crt'),
    ...{ 'secure-port': port, 'metric-resolution': '15s', 'cert-dir': join(folder, 'serving') },
  };
  await using _server = startGoPeer(
    program,
    Object.entries(flags).map(([name, value]) => `--${name}=${value}`),
  );
  await node.apply(scriptPod('busy', 'while :; do sleep 0.1; done'));
  const top = async () => (await node.kubectl(['top', 'pod', 'busy'])).stdout;
  assert.match(
    await eventually('figures of the pod', async () => (await top()) || false, 90_000),
    /^busy +\d+m +\d+Mi/m,
  );
  assert.match(await node.kubectlOk(['top', 'node']), /^ecosystem +\d+m/m);
  const service = ['get', 'apiservice', 'v1beta1.metrics.k8s.io', '--no-headers'];
  assert.match(await node.kubectlOk(service), /kube-system\/metrics-server +True/);
});

test('descheduler evicts pods that are older than its policy has them, as far as their budget lets it', async () => {
  const program = await buildProgram('descheduler');
  const labels = { app: 'old' };
  const container = {
    name: 'main',
    image: testImage,
    imagePullPolicy: 'Never',
    command: ['sleep', '100000'],
  };
  const template = {
    metadata: { labels },
    spec: { terminationGracePeriodSeconds: 0, containers: [container] },
  };
  await node.create(
    {
      ...{ apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name: 'old' } },
      spec: { replicas: 2, selector: { matchLabels: labels }, template },
    },
    {
      ...{ apiVersion: 'policy/v1', kind: 'PodDisruptionBudget', metadata: { name: 'old' } },
      spec: { minAvailable: 1, selector: { matchLabels: labels } },
    },
    // It leaves a cluster of one node alone.
    { apiVersion: 'v1', kind: 'Node', metadata: { name: 'other' }, spec: { unschedulable: true } },
  );
  const now = new Date().toISOString();
  const ready = { type: 'Ready', status: 'True', reason: 'Told', message: 'told', lastHeartbeatTime: now };
  const status = JSON.stringify({ status: { conditions: [{ ...ready, lastTransitionTime: now }] } });
  await node.kubectlOk(['patch', 'node', 'other', '--subresource=status', '-p', status]);
  await node.kubectlOk(['rollout', 'status', 'deployment/old', '--timeout=30s']);
  const allowed = '--for=jsonpath={.status.disruptionsAllowed}=1';
  await node.kubectlOk(['wait', allowed, 'pdb/old', '--timeout=30s']);
  const names = async () =>
    (await node.kubectlOk(['get', 'pods', '-l', 'app=old', '-o', 'name'])).trim().split('\n');
  const before = await names();
  const args = { maxPodLifeTimeSeconds: 1, labelSelector: { matchLabels: labels } };
  const policy = join(folder, 'policy.json');
  const profile = {
    ...{ name: 'short', pluginConfig: [{ name: 'PodLifeTime', args }] },
    plugins: { deschedule: { enabled: ['PodLifeTime'] } },
  };
  const object = { apiVersion: 'descheduler/v1alpha2', kind: 'DeschedulerPolicy', profiles: [profile] };
  writeFileSync(policy, JSON.stringify(object));
  const flags = ['--kubeconfig', node.kubeconfig, '--policy-config-file', policy, '--disable-metrics'];
  const left = await eventually('one of both to be evicted', async () => {
    const { code, stderr } = await run(program, [...flags, '--secure-port', '0', '-v', '2']);
    assert.equal(code, 0, stderr);
    const after = await names();
    const found = before.filter((name) => after.includes(name));
    return found.length < before.length && found;
  });
  assert.equal(left.length, 1);
  await node.kubectlOk(['rollout', 'status', 'deployment/old', '--timeout=30s']);
  const [told] = await eventually('its event', async () => {
    const words = ['get', 'events', '--field-selector', 'reason=PodLifeTime', '-o', 'json'];
    const { items } = JSON.parse(await node.kubectlOk(words));
    return items.length > 0 && items;
  });
  assert.match(told.reportingComponent || told.source.component, /descheduler/);
});

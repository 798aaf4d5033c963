/** The Vertical Pod Autoscaler on a real node by its own manifests: what pods take is measured, recommended, and given to them, as they run or anew. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { testImage } from '../../e2e/image.ts';
import { eventually, TestNode } from '../../e2e/node.ts';
import { buildProgram, folderOf } from './build.ts';
import { bringProgram, changeContainer, rolledOut } from './delivered.ts';

const namespace = 'kube-system';
const module = 'k8s.io/autoscaler/vertical-pod-autoscaler';
const host = 'vpa-webhook.kube-system.svc';

/** Its three programs with words of ours: looks every few seconds instead of every minute. */
const parts = {
  recommender: [
    ...['--recommender-interval=5s', '--target-cpu-percentile=0.5'],
    '--pod-recommendation-min-memory-mb=8',
  ],
  updater: ['--updater-interval=5s', '--min-replicas=1'],
  'admission-controller': ['--v=4', '--stderrthreshold=info', '--reload-cert'],
} as const;

let folder: string;
let node: TestNode;

/** Makes the certificates that its own script makes, and the Secret that it brings them to the cluster in. */
async function bringCertificates(): Promise<void> {
  const openssl = (...words: string[]) => execFileSync('openssl', words, { cwd: folder, stdio: 'pipe' });
  const days = ['-days', '2', '-newkey', 'rsa:2048', '-nodes'];
  openssl('req', '-x509', ...days, '-subj', '/CN=vpa_ca', '-keyout', 'caKey.pem', '-out', 'caCert.pem');
  openssl('req', ...days.slice(2), '-subj', `/CN=${host}`, '-keyout', 'serverKey.pem', '-out', 'server.csr');
  writeFileSync(join(folder, 'names'), `subjectAltName=DNS:${host}\nextendedKeyUsage=serverAuth\n`);
  const authority = ['-CA', 'caCert.pem', '-CAkey', 'caKey.pem', '-CAcreateserial', '-extfile', 'names'];
  openssl('x509', '-req', '-in', 'server.csr', ...authority, '-out', 'serverCert.pem');
  const files = ['caKey', 'caCert', 'serverKey', 'serverCert'];
  const words = files.map((name) => `--from-file=${join(folder, `${name}.pem`)}`);
  await node.kubectlOk(['-n', namespace, 'create', 'secret', 'generic', 'vpa-tls-certs', ...words]);
}

before(async () => {
  folder = mkdtempSync(join(tmpdir(), 'wherry-vpa-'));
  node = await TestNode.start('vertical');
  const source = await folderOf(module, 'vpa-recommender');
  for (const part of Object.keys(parts) as (keyof typeof parts)[]) {
    const image = `registry.k8s.io/autoscaling/vpa-${part}:${source.split('@v')[1]}`;
    await bringProgram(node, image, await buildProgram(`vpa-${part}`), part);
  }
  await bringCertificates();
  await node.kubectlOk(['apply', '--server-side', '-k', join(source, 'deploy')]);
  for (const [part, args] of Object.entries(parts))
    await changeContainer(node, namespace, `vpa-${part}`, part, { args });
  for (const part of Object.keys(parts)) await rolledOut(node, namespace, `vpa-${part}`);
  await eventually('its webhook to be registered', async () => {
    const words = ['get', 'mutatingwebhookconfigurations', 'vpa-webhook-config'];
    return (await node.kubectl(words)).code === 0;
  });
});
after(async () => {
  await node?.remove();
  rmSync(folder, { recursive: true, force: true });
});

const get = async (...words: string[]) => JSON.parse(await node.kubectlOk(['get', ...words, '-o', 'json']));

/** A deployment whose pods do what `script` says, and asks for next to nothing. */
function deployment(name: string, script: string, replicas = 1, resources: object = {}) {
  const labels = { app: name };
  const container = {
    ...{ name: 'main', image: testImage, imagePullPolicy: 'Never', command: ['sh', '-c', script] },
    resources: { requests: { cpu: '10m', memory: '16Mi' }, ...resources },
  };
  const spec = { terminationGracePeriodSeconds: 0, containers: [container] };
  return {
    ...{ apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name } },
    spec: { replicas, selector: { matchLabels: labels }, template: { metadata: { labels }, spec } },
  };
}

const autoscaler = (name: string, updateMode: string, policy: object) => ({
  ...{ apiVersion: 'autoscaling.k8s.io/v1', kind: 'VerticalPodAutoscaler', metadata: { name } },
  spec: {
    targetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name },
    updatePolicy: { updateMode },
    resourcePolicy: { containerPolicies: [{ containerName: '*', ...policy }] },
  },
});

const podsOf = async (name: string) => (await get('pods', '-l', `app=${name}`)).items;

test('what pods take is measured and recommended, and left at that where the autoscaler is off', async () => {
  await node.create(
    deployment('measured', 'while :; do :; done'),
    autoscaler('measured', 'Off', { maxAllowed: { cpu: '400m' } }),
  );
  // What it took while it began counts, too: so the first recommendations are less.
  const uncapped = await eventually(
    'all that it may have',
    async () => {
      const { status } = await get('vpa', 'measured');
      const [found] = status?.recommendation?.containerRecommendations ?? [];
      return found?.target.cpu === '400m' && found.uncappedTarget.cpu;
    },
    240_000,
  );
  assert.match(uncapped, /^(\d{3,}m|\d+)$/);
  assert.match(await node.kubectlOk(['get', 'vpa', 'measured']), /^measured +Off +400m +\d+/m);
  const [pod] = await podsOf('measured');
  assert.equal(pod.spec.containers[0].resources.requests.cpu, '10m');
  await node.kubectlOk(['delete', 'deployment/measured', 'vpa/measured']);
});

test('pods that run are given what is recommended without being begun anew, and new ones at their admission', async () => {
  const policy = { minAllowed: { cpu: '150m', memory: '64Mi' }, maxAllowed: { cpu: '150m', memory: '64Mi' } };
  const objects = [
    deployment('resized', 'sleep 100000', 2),
    autoscaler('resized', 'InPlaceOrRecreate', policy),
  ];
  await node.create(objects[0]!);
  await node.kubectlOk(['rollout', 'status', 'deployment/resized', '--timeout=60s']);
  const before = await podsOf('resized');
  await node.create(objects[1]!);
  const after = await eventually(
    'both pods to have been resized',
    async () => {
      const pods = await podsOf('resized');
      const isGiven = (pod: (typeof pods)[0]) =>
        pod.status.containerStatuses[0].resources?.requests?.cpu === '150m';
      return pods.every(isGiven) && pods;
    },
    180_000,
  );
  const identities = (pods: typeof after) => pods.map((pod: (typeof pods)[0]) => pod.metadata.uid).sort();
  assert.deepEqual(identities(after), identities(before));
  for (const { status, spec } of after) {
    assert.equal(status.containerStatuses[0].restartCount, 0);
    assert.deepEqual(spec.containers[0].resources.requests, { cpu: '150m', memory: '64Mi' });
    assert.deepEqual(status.containerStatuses[0].allocatedResources, { cpu: '150m', memory: '64Mi' });
  }
  await node.kubectlOk(['scale', 'deployment/resized', '--replicas=3']);
  await node.kubectlOk(['rollout', 'status', 'deployment/resized', '--timeout=60s']);
  const known = new Set(identities(after));
  const added = (await podsOf('resized')).find((pod: (typeof after)[0]) => !known.has(pod.metadata.uid));
  assert.deepEqual(added.spec.containers[0].resources.requests, { cpu: '150m', memory: '64Mi' });
  assert.match(added.metadata.annotations.vpaUpdates, /Pod resources updated by resized/);
  const words = ['get', 'events', '--field-selector', 'reason=InPlaceResizedByVPA', '-o', 'name'];
  assert.notEqual((await node.kubectlOk(words)).trim(), '');
  await node.kubectlOk(['delete', 'deployment/resized', 'vpa/resized']);
});

test('a container that was killed for its memory is recommended more of it than it ever took', async () => {
  const script = 'sleep 1; tail /dev/zero';
  await node.create(
    deployment('hungry', script, 1, { requests: { cpu: '10m' }, limits: { memory: '24Mi' } }),
    autoscaler('hungry', 'Off', {}),
  );
  const bytes = await eventually(
    'a recommendation by what it lacked',
    async () => {
      const { status } = await get('vpa', 'hungry');
      const [found] = status?.recommendation?.containerRecommendations ?? [];
      const [, amount, kilo] = /^(\d+)(k?)$/.exec(found?.target.memory) ?? [];
      const memory = Number(amount) * (kilo ? 1000 : 1);
      // 24 MiB and the 100 MiB more that it gives who was killed.
      return memory >= 124 * 2 ** 20 && memory;
    },
    180_000,
  );
  assert.ok(bytes < 400 * 2 ** 20, `${bytes} bytes`);
  const [pod] = await podsOf('hungry');
  const [{ state, lastState }] = pod.status.containerStatuses;
  assert.equal((lastState.terminated ?? state.terminated).reason, 'OOMKilled');
  await node.kubectlOk(['delete', 'deployment/hungry', 'vpa/hungry']);
});

test('a pod that the node can not give what is recommended is evicted, and its next one waits for a node that can', async () => {
  const policy = { minAllowed: { cpu: '500' }, maxAllowed: { cpu: '500' } };
  await node.create(deployment('huge', 'sleep 100000'));
  await node.kubectlOk(['rollout', 'status', 'deployment/huge', '--timeout=60s']);
  const [old] = await podsOf('huge');
  await node.create(autoscaler('huge', 'InPlaceOrRecreate', policy));
  const next = await eventually(
    'another pod',
    async () => {
      const pods = await podsOf('huge');
      return pods.length === 1 && pods[0].metadata.uid !== old.metadata.uid && pods[0];
    },
    180_000,
  );
  assert.equal(next.spec.containers[0].resources.requests.cpu, '500');
  await node.kubectlOk(['wait', '--for=condition=PodScheduled=False', `pod/${next.metadata.name}`]);
  await node.kubectlOk(['delete', 'deployment/huge', 'vpa/huge']);
});

test('what makes no sense is refused by its webhook', async () => {
  const object = autoscaler('wrong', 'Initial', {
    mode: 'Off',
    minAllowed: { cpu: '2' },
    maxAllowed: { cpu: '1' },
  });
  const { code, stderr } = await node.kubectl(['create', '-f', '-'], { stdin: JSON.stringify(object) });
  assert.equal(code, 1);
  // It tells its causes one by one, and those are what kubectl shows.
  assert.match(
    stderr,
    /"wrong" is invalid: spec\.resourcePolicy\.containerPolicies\[0\]\.maxAllowed\[cpu\]: .*lower than min of "2"/,
  );
});

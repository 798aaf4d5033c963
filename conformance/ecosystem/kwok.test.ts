/** kwok on a real node by its own manifests: a hundred nodes more and a thousand pods that are nothing but their objects. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { eventually, scriptPod, TestNode } from '../../e2e/node.ts';
import { buildProgram, folderOf } from './build.ts';
import { bringProgram, rolledOut } from './delivered.ts';

const nodeCount = 100;
const podCount = 1000;
const settledMs = 240_000;
/** What a process of the control plane may hold under this load, several times of what it needs. */
const residentMiBMax = 900;

let node: TestNode;

before(async () => {
  const program = await buildProgram('kwok');
  node = await TestNode.start('crowd');
  await bringProgram(node, 'registry.k8s.io/kwok/kwok:latest', program, 'kwok', '0:0');
  const module = await folderOf('sigs.k8s.io/kwok', 'kwok');
  await node.kubectlOk(['apply', '--server-side', '-k', join(module, 'kustomize/kwok')]);
  // Without it pods are forgotten that it sees before it holds the lease of their node, as when it begins again.
  const config = readFileSync(join(module, 'kustomize/kwok/kwok.yaml'), 'utf8');
  const text = config.replace(/^options:$/m, '$&\n  podsOnNodeSyncParallelism: 4');
  const patch = JSON.stringify({ data: { 'kwok.yaml': text } });
  await node.kubectlOk(['-n', 'kube-system', 'patch', 'configmap/kwok', '--type=merge', '-p', patch]);
  await node.kubectlOk(['wait', '--for=condition=Established', 'crd', '--all', '--timeout=30s']);
  await node.kubectlOk(['apply', '--server-side', '-k', join(module, 'kustomize/stage/fast')]);
  await node.create(readyAgain);
  await node.kubectlOk(['-n', 'kube-system', 'rollout', 'restart', 'deployment/kwok-controller']);
  await rolledOut(node, 'kube-system', 'kwok-controller');
});
after(() => node?.remove());

const get = async (...words: string[]) => JSON.parse(await node.kubectlOk(['get', ...words, '-o', 'json']));
const names = async (...words: string[]) =>
  (await node.kubectlOk(['get', ...words, '-o', 'name'])).split('\n').filter(Boolean);

/** Nodes of kwok, in three zones. */
const fakeNode = (index: number) => ({
  ...{ apiVersion: 'v1', kind: 'Node' },
  metadata: {
    name: `kwok-${String(index).padStart(3, '0')}`,
    annotations: { 'kwok.x-k8s.io/node': 'fake', 'node.alpha.kubernetes.io/ttl': '0' },
    labels: { type: 'kwok', 'topology.kubernetes.io/zone': `zone-${index % 3}` },
  },
  spec: { taints: [{ key: 'kwok.x-k8s.io/node', value: 'fake', effect: 'NoSchedule' }] },
  status: {
    allocatable: { cpu: '32', memory: '256Gi', pods: '110' },
    capacity: { cpu: '32', memory: '256Gi', pods: '110' },
  },
});

/** What a kubelet does and kwok's stages do not: a pod whose node was lost is ready again when that is back. */
const readyAgain = {
  ...{ apiVersion: 'kwok.x-k8s.io/v1alpha1', kind: 'Stage', metadata: { name: 'pod-ready-again' } },
  spec: {
    resourceRef: { apiGroup: 'v1', kind: 'Pod' },
    selector: {
      matchExpressions: [
        { key: '.metadata.deletionTimestamp', operator: 'DoesNotExist' },
        { key: '.status.phase', operator: 'In', values: ['Running'] },
        {
          key: '.status.conditions.[] | select( .type == "Ready" ) | .status',
          ...{ operator: 'In', values: ['False'] },
        },
      ],
    },
    next: {
      statusTemplate: 'conditions:\n- {type: Ready, status: "True", lastTransitionTime: {{ Now | Quote }}}\n',
    },
  },
};

/** The spec of a pod that runs on such nodes alone, and leaves one that is lost soon. */
const onFakeNodes = (name: string, more: object = {}) => ({
  nodeSelector: { type: 'kwok' },
  tolerations: [
    { key: 'kwok.x-k8s.io/node', operator: 'Exists' },
    { key: 'node.kubernetes.io/unreachable', operator: 'Exists', effect: 'NoExecute', tolerationSeconds: 5 },
  ],
  containers: [
    { name: 'main', image: `example.com/${name}:1`, resources: { requests: { cpu: '1', memory: '8Gi' } } },
  ],
  ...more,
});

function deployment(name: string, replicas: number) {
  const labels = { app: name };
  const spread = {
    ...{ maxSkew: 1, topologyKey: 'topology.kubernetes.io/zone', whenUnsatisfiable: 'DoNotSchedule' },
    labelSelector: { matchLabels: labels },
  };
  const spec = onFakeNodes(name, { topologySpreadConstraints: [spread] });
  return {
    ...{ apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name } },
    spec: { replicas, selector: { matchLabels: labels }, template: { metadata: { labels }, spec } },
  };
}

/** Waits until a deployment has as many pods that are ready as it should, and no others. */
const settled = (name: string) =>
  eventually(
    `${name} to settle`,
    async () => {
      const { spec, status, metadata } = await get('deployment', name);
      const counts = [status.replicas, status.updatedReplicas, status.availableReplicas];
      return (
        status.observedGeneration === metadata.generation && counts.every((count) => count === spec.replicas)
      );
    },
    settledMs,
  );

const conditionOf = (object: { status: { conditions: { type: string; status: string }[] } }, type: string) =>
  object.status.conditions.find((condition) => condition.type === type)?.status;

/** How many MiB of memory a process of this node holds. */
async function residentMiB(role: string): Promise<number> {
  const status = readFileSync(`/proc/${await node.pidOf(role)}/status`, 'utf8');
  return Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1]) / 1024;
}

test('a hundred nodes are taken up, with their leases and ranges of addresses', async () => {
  await node.create(...Array.from({ length: nodeCount }, (_, index) => fakeNode(index)));
  const nodes = await eventually(
    'all nodes to be Ready',
    async () => {
      const { items } = await get('nodes', '-l', 'type=kwok');
      return (
        items.every((item: Parameters<typeof conditionOf>[0]) => conditionOf(item, 'Ready') === 'True') &&
        items
      );
    },
    90_000,
  );
  assert.equal(nodes.length, nodeCount);
  await eventually('no taint of the life-cycle', async () => {
    const { items } = await get('nodes', '-l', 'type=kwok');
    return items.every((item: { spec: { taints: object[] } }) => item.spec.taints.length === 1);
  });
  const leases = await names('leases', '-n', 'kube-node-lease');
  assert.equal(leases.length, nodeCount + 1);
});

test('a thousand pods are spread over them, and a service has them all', async (context) => {
  const began = performance.now();
  await node.create(deployment('crowd', podCount), {
    ...{ apiVersion: 'v1', kind: 'Service', metadata: { name: 'crowd' } },
    spec: { selector: { app: 'crowd' }, ports: [{ port: 80 }] },
  });
  // The machine's own node has time for its pods meanwhile.
  await node.apply(scriptPod('real', 'sleep 100000'));
  await settled('crowd');
  context.diagnostic(`settled after ${Math.round(performance.now() - began)} ms`);
  const { items } = await get('pods', '-l', 'app=crowd');
  const byNode = new Map<string, number>();
  for (const { spec } of items) byNode.set(spec.nodeName, (byNode.get(spec.nodeName) ?? 0) + 1);
  const counts = [...byNode.values()];
  assert.equal(counts.length, nodeCount);
  assert.ok(
    Math.max(...counts) - Math.min(...counts) <= 2,
    `from ${Math.min(...counts)} to ${Math.max(...counts)}`,
  );
  const addresses = await eventually('all endpoints', async () => {
    const slices = await get('endpointslices', '-l', 'kubernetes.io/service-name=crowd');
    const ready = slices.items.flatMap(({ endpoints }: { endpoints: { conditions: { ready: boolean } }[] }) =>
      (endpoints ?? []).filter(({ conditions }) => conditions.ready),
    );
    return ready.length === podCount && slices.items.length;
  });
  assert.ok(addresses >= 10 && addresses <= 13, `${addresses} slices`);
  for (const role of ['apiserver', 'controllers', 'network']) {
    const held = await residentMiB(role);
    context.diagnostic(`${role} holds ${Math.round(held)} MiB`);
    assert.ok(held < residentMiBMax, `${role} holds ${held} MiB`);
  }
});

test('they are all replaced by an update, a quarter at a time', async (context) => {
  const image = {
    spec: { template: { spec: { containers: [{ name: 'main', image: 'example.com/crowd:2' }] } } },
  };
  await node.kubectlOk(['patch', 'deployment/crowd', '-p', JSON.stringify(image)]);
  const began = performance.now();
  await settled('crowd');
  context.diagnostic(`replaced after ${Math.round(performance.now() - began)} ms`);
  await eventually(
    'the old to be gone',
    async () => (await names('pods', '-l', 'app=crowd')).length === podCount,
  );
});

test('jobs end as their stages say', async () => {
  const job = (name: string, completions: number) => ({
    ...{ apiVersion: 'batch/v1', kind: 'Job', metadata: { name } },
    spec: {
      ...{ completions, parallelism: 50 },
      template: { spec: onFakeNodes(name, { restartPolicy: 'Never' }) },
    },
  });
  await node.create(job('many', 200));
  await node.kubectlOk(['wait', '--for=condition=Complete', 'job/many', '--timeout=120s'], {
    timeoutMs: 130_000,
  });
  assert.equal((await get('job', 'many')).status.succeeded, 200);
  await node.kubectlOk(['delete', 'job/many', '--timeout=60s'], { timeoutMs: 70_000 });
});

test('pods of nodes that are deleted are made anew on others', async () => {
  const gone = Array.from({ length: 20 }, (_, index) => fakeNode(index).metadata.name);
  await node.kubectlOk(['delete', 'node', ...gone]);
  await eventually(
    'all pods on nodes that are left',
    async () => {
      const { items } = await get('pods', '-l', 'app=crowd');
      const lost = items.filter(({ spec }: { spec: { nodeName: string } }) => gone.includes(spec.nodeName));
      return lost.length === 0 && items.length === podCount;
    },
    settledMs,
  );
  await settled('crowd');
});

test('nodes that nobody speaks for any more are lost and come back', async () => {
  await node.kubectlOk(['-n', 'kube-system', 'scale', 'deployment/kwok-controller', '--replicas=0']);
  const unknown = async (wanted: string) => {
    const { items } = await get('nodes', '-l', 'type=kwok');
    return items.every((item: Parameters<typeof conditionOf>[0]) => conditionOf(item, 'Ready') === wanted);
  };
  await eventually('all nodes to be unknown', () => unknown('Unknown'), 120_000);
  await node.kubectlOk(['wait', '--for=condition=Ready', 'node/crowd', '--timeout=5s']);
  await node.kubectlOk(['-n', 'kube-system', 'scale', 'deployment/kwok-controller', '--replicas=1']);
  await eventually('all nodes to be back', () => unknown('True'), 120_000);
  await settled('crowd');
});

test('the controllers have complained of nothing', () => {
  const lines = readFileSync(join(node.dataDir, 'logs/controllers.log'), 'utf8').split('\n');
  assert.deepEqual(
    lines.filter((line) => / (warn|error) /.test(line)),
    [],
  );
});

test('all of it goes', async (context) => {
  await node.kubectlOk(
    ['delete', 'deployment/crowd', 'service/crowd', '--cascade=foreground', '--timeout=120s'],
    {
      timeoutMs: 130_000,
    },
  );
  await eventually('no pod', async () => (await names('pods', '-l', 'app=crowd')).length === 0, 60_000);
  await node.kubectlOk(['delete', 'nodes', '-l', 'type=kwok', '--timeout=60s'], { timeoutMs: 70_000 });
  await eventually(
    'the leases of nodes to be gone',
    async () => (await names('leases', '-n', 'kube-node-lease')).length === 1,
    90_000,
  );
  for (const role of ['apiserver', 'controllers', 'network'])
    context.diagnostic(`${role} holds ${Math.round(await residentMiB(role))} MiB`);
});

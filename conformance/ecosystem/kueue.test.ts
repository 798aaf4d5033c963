/** Kueue on a real node, as it is delivered: its manifests as they stand, its manager in a pod, webhooks and aggregated API behind Services. */
import assert from 'node:assert/strict';
import { copyFileSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { buildImage, testImage } from '../../e2e/image.ts';
import { eventually, TestNode } from '../../e2e/node.ts';
import { buildProgram, folderOf } from './build.ts';

/** What the manifests name, which stands in no registry that is reached from here. */
const image = 'us-central1-docker.pkg.dev/k8s-staging-images/kueue/kueue:main';
const apiVersion = 'kueue.x-k8s.io/v1beta2';

let node: TestNode;

before(async () => {
  const program = await buildProgram('kueue');
  node = await TestNode.start('queues');
  const fill = (tree: string) => {
    mkdirSync(join(tree, 'tmp'));
    copyFileSync(program, join(tree, 'manager'));
  };
  // As nobody, which its manifest asks for.
  await buildImage(node.dataDir, image, fill, ['--cmd', '["/manager"]', '--user', '65532:65532']);
  const module = await folderOf('sigs.k8s.io/kueue', 'kueue');
  await node.kubectlOk(['apply', '--server-side', '-k', join(module, 'config/default')], {
    timeoutMs: 120_000,
  });
  // The image is in the node's own store, and nowhere to be pulled from.
  const container = { name: 'manager', imagePullPolicy: 'IfNotPresent' };
  const patch = JSON.stringify({ spec: { template: { spec: { containers: [container] } } } });
  const manager = ['-n', 'kueue-system', '--', 'deployment/kueue-controller-manager'];
  await node.kubectlOk(['patch', '-p', patch, ...manager]);
  // It makes the certificate of its webhooks itself, and waits until the kubelet has brought it into its volume.
  await node.kubectlOk(['rollout', 'status', '--timeout=180s', ...manager], { timeoutMs: 200_000 });
});
after(() => node?.remove());

/** A job that wants most of the queue for itself, and runs until it finds its file. */
const job = (name: string, script: string) => ({
  ...{ apiVersion: 'batch/v1', kind: 'Job' },
  metadata: { name, labels: { 'kueue.x-k8s.io/queue-name': 'team' } },
  spec: {
    template: {
      spec: {
        restartPolicy: 'Never',
        containers: [
          {
            ...{ name: 'main', image: testImage, imagePullPolicy: 'Never', command: ['sh', '-c', script] },
            resources: { requests: { cpu: '600m' } },
          },
        ],
      },
    },
  },
});

const field = (name: string, path: string) =>
  node.kubectlOk(['get', 'job', name, '-o', `jsonpath={${path}}`]);

test('jobs wait for their quota, are told of by its own API, and run one behind the other', async () => {
  const resources = [{ name: 'cpu', nominalQuota: '1' }];
  await node.create(
    { apiVersion, kind: 'ResourceFlavor', metadata: { name: 'any' } },
    {
      ...{ apiVersion, kind: 'ClusterQueue', metadata: { name: 'all' } },
      spec: {
        namespaceSelector: {},
        resourceGroups: [{ coveredResources: ['cpu'], flavors: [{ name: 'any', resources }] }],
      },
    },
    { apiVersion, kind: 'LocalQueue', metadata: { name: 'team' }, spec: { clusterQueue: 'all' } },
  );
  await node.kubectlOk(['wait', '--for=condition=Active', 'clusterqueue/all', '--timeout=30s']);
  await node.create(job('first', 'until [ -e /tmp/over ]; do sleep 0.1; done'));
  await node.kubectlOk(['wait', '--for=jsonpath={.status.ready}=1', 'job/first', '--timeout=30s']);
  await node.create(job('second', 'true'));
  assert.equal(await field('second', '.spec.suspend'), 'true');
  const pending = [
    'get',
    '--raw',
    '/apis/visibility.kueue.x-k8s.io/v1beta2/clusterqueues/all/pendingworkloads',
  ];
  const waits = await eventually('a job in the queue', async () => {
    const { items } = JSON.parse(await node.kubectlOk(pending));
    return items.length > 0 && items;
  });
  assert.deepEqual(
    waits.map(({ localQueueName, positionInClusterQueue }: Record<string, unknown>) => [
      localQueueName,
      positionInClusterQueue,
    ]),
    [['team', 0]],
  );
  assert.match(await node.kubectlOk(['get', 'workloads']), /^job-second\S* +team +/m);
  await node.kubectlOk(['exec', 'job/first', '--', 'touch', '/tmp/over']);
  await node.kubectlOk(['wait', '--for=condition=Complete', 'job', '--all', '--timeout=60s']);
  assert.equal(await field('second', '.spec.suspend'), 'false');
});

test('its webhooks refuse what it can not hold, in its own words', async () => {
  const resources = [{ name: 'cpu', nominalQuota: '-1' }];
  const resourceGroups = [{ coveredResources: ['cpu'], flavors: [{ name: 'any', resources }] }];
  const stdin = JSON.stringify({
    ...{ apiVersion, kind: 'ClusterQueue', metadata: { name: 'wrong' } },
    spec: { resourceGroups },
  });
  const { code, stderr } = await node.kubectl(['create', '-f', '-'], { stdin });
  assert.equal(code, 1);
  assert.match(
    stderr,
    /admission webhook "vclusterqueue\.kb\.io" denied the request: .*nominalQuota: Invalid value: "-1"/,
  );
});

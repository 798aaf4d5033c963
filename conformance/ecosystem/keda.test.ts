/** KEDA on a real node by its own manifests: deployments and jobs that follow figures of its API server, from nothing and to nothing. */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { testImage } from '../../e2e/image.ts';
import { eventually, scriptPod, TestNode } from '../../e2e/node.ts';
import { buildProgram, folderOf } from './build.ts';
import { bringProgram, changeContainer, rolledOut } from './delivered.ts';
import { copyWithoutClouds } from './keda/without-clouds.ts';

const namespace = 'keda';

/** Its programs: the deployment of each, the container in it, its image, and where the program is in that. */
const parts = {
  'keda-operator': { deployment: 'keda-operator', container: 'keda-operator', image: 'keda', path: 'keda' },
  'keda-adapter': {
    deployment: 'keda-metrics-apiserver',
    container: 'keda-metrics-apiserver',
    image: 'keda-metrics-apiserver',
    path: 'keda-adapter',
  },
  'keda-webhooks': {
    deployment: 'keda-admission',
    container: 'keda-admission-webhooks',
    image: 'keda-admission-webhooks',
    path: 'keda-admission-webhooks',
  },
} as const;
type Program = keyof typeof parts;

let folder: string;
let node: TestNode;

before(async () => {
  folder = mkdtempSync(join(tmpdir(), 'wherry-keda-'));
  const module = await folderOf('github.com/kedacore/keda/v2', 'keda-operator');
  copyWithoutClouds(module, folder);
  const programs = new Map<string, string>();
  for (const name of Object.keys(parts) as Program[]) programs.set(name, await buildProgram(name, folder));
  node = await TestNode.start('events');
  for (const [name, { image, path }] of Object.entries(parts))
    await bringProgram(node, `ghcr.io/kedacore/${image}:main`, programs.get(name)!, path);
  const words = ['apply', '--server-side', '-k', join(module, 'config/default')];
  await node.kubectlOk(words, { timeoutMs: 120_000 });
  for (const { deployment, container } of Object.values(parts))
    await changeContainer(node, namespace, deployment, container);
  for (const { deployment } of Object.values(parts)) await rolledOut(node, namespace, deployment);
  await node.kubectlOk([
    ...['wait', '--for=condition=Available', 'apiservice/v1beta1.external.metrics.k8s.io'],
    '--timeout=60s',
  ]);
});
after(async () => {
  await node?.remove();
  rmSync(folder, { recursive: true, force: true });
});

const get = async (...words: string[]) => JSON.parse(await node.kubectlOk(['get', ...words, '-o', 'json']));

/** A deployment whose pods sleep. */
function deployment(name: string, replicas: number) {
  const labels = { app: name };
  const container = {
    name: 'main',
    image: testImage,
    imagePullPolicy: 'Never',
    command: ['sleep', '100000'],
  };
  const spec = { terminationGracePeriodSeconds: 0, containers: [container] };
  return {
    ...{ apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name } },
    spec: { replicas, selector: { matchLabels: labels }, template: { metadata: { labels }, spec } },
  };
}

/** What scales a deployment by a trigger, from nothing to three pods, without waiting. */
const scaled = (name: string, type: string, metadata: object, target = name) => ({
  ...{ apiVersion: 'keda.sh/v1alpha1', kind: 'ScaledObject', metadata: { name } },
  spec: {
    scaleTargetRef: { name: target },
    ...{ pollingInterval: 2, cooldownPeriod: 2, minReplicaCount: 0, maxReplicaCount: 3 },
    advanced: {
      horizontalPodAutoscalerConfig: { behavior: { scaleDown: { stabilizationWindowSeconds: 0 } } },
    },
    triggers: [{ type, metadata }],
  },
});

/** Waits until a deployment has that many pods that are ready. */
const has = (name: string, replicas: number) =>
  eventually(
    `${replicas} replicas of ${name}`,
    async () => {
      const { spec, status } = await get('deployment', name);
      return spec.replicas === replicas && (status.readyReplicas ?? 0) === replicas;
    },
    90_000,
  );

test('a deployment follows the number of other pods, from nothing to its maximum and back', async () => {
  await node.create(
    deployment('queue', 0),
    deployment('worker', 0),
    scaled('worker', 'kubernetes-workload', { podSelector: 'app=queue', value: '2' }),
  );
  await node.kubectlOk(['wait', '--for=condition=Ready', 'scaledobject/worker', '--timeout=60s']);
  await has('worker', 0);
  await node.kubectlOk(['scale', 'deployment/queue', '--replicas=3']);
  await has('worker', 2);
  const metric = 's0-workload-default';
  const path = `/apis/external.metrics.k8s.io/v1beta1/namespaces/default/${metric}`;
  const selector = 'labelSelector=scaledobject.keda.sh%2Fname%3Dworker';
  const { items } = JSON.parse(await node.kubectlOk(['get', '--raw', `${path}?${selector}`]));
  assert.deepEqual([items[0].metricName, items[0].value], [metric, '3']);
  const autoscaler = await get('hpa', 'keda-hpa-worker');
  assert.equal(autoscaler.status.currentMetrics[0].external.metric.name, metric);
  await eventually('its next look', async () =>
    / 1500m\/2 \(avg\) +1 +3 +2 /.test(await node.kubectlOk(['get', 'hpa', 'keda-hpa-worker'])),
  );
  await node.kubectlOk(['scale', 'deployment/queue', '--replicas=8']);
  await has('worker', 3);
  await node.kubectlOk(['scale', 'deployment/queue', '--replicas=1']);
  await has('worker', 1);
  await node.kubectlOk(['scale', 'deployment/queue', '--replicas=0']);
  await has('worker', 0);
  await eventually('the autoscaler to rest', async () => {
    const { conditions } = (await get('hpa', 'keda-hpa-worker')).status;
    const active = conditions.find(({ type }: { type: string }) => type === 'ScalingActive');
    return active.status === 'False' && active.reason === 'ScalingDisabled';
  });
  const reasons = await node.kubectlOk([
    ...['get', 'events', '--field-selector', 'involvedObject.kind=ScaledObject'],
    ...['-o', 'jsonpath={.items[*].reason}'],
  ]);
  for (const reason of ['KEDAScaleTargetActivated', 'KEDAScaleTargetDeactivated'])
    assert.match(reasons, new RegExp(reason));
});

test('a deployment follows a number that a service tells, and what is said in its place while it tells none', async () => {
  const script =
    'mkdir /tmp/www; echo \'{"n":4}\' > /tmp/www/figures.json; exec httpd -f -p 8080 -h /tmp/www';
  const url = 'http://figures.default.svc:8080/figures.json';
  const object = scaled('reader', 'metrics-api', { url, valueLocation: 'n', targetValue: '2' });
  await node.apply(
    scriptPod('figures', script),
    {
      ...{ apiVersion: 'v1', kind: 'Service', metadata: { name: 'figures' } },
      spec: { selector: { app: 'figures' }, ports: [{ port: 8080 }] },
    },
    deployment('reader', 0),
    { ...object, spec: { ...object.spec, fallback: { failureThreshold: 2, replicas: 3 } } },
  );
  await has('reader', 2);
  const tell = (text: string) =>
    node.kubectlOk(['exec', 'figures', '--', 'sh', '-c', `echo '${text}' > /tmp/www/figures.json`]);
  await tell('{}');
  await has('reader', 3);
  await node.kubectlOk(['wait', '--for=condition=Fallback', 'scaledobject/reader', '--timeout=30s']);
  await tell('{"n":1}');
  await has('reader', 1);
  await tell('{"n":0}');
  await has('reader', 0);
});

test('a deployment follows the clock, and holds still at a number while it is paused', async () => {
  const always = { timezone: 'UTC', start: '0 0 * * *', end: '59 23 * * *', desiredReplicas: '2' };
  await node.create(deployment('clerk', 0), scaled('clerk', 'cron', always));
  await has('clerk', 2);
  const paused = 'autoscaling.keda.sh/paused-replicas';
  await node.kubectlOk(['annotate', 'scaledobject/clerk', `${paused}=0`]);
  await has('clerk', 0);
  await node.kubectlOk(['wait', '--for=condition=Paused', 'scaledobject/clerk', '--timeout=30s']);
  await node.kubectlOk(['annotate', 'scaledobject/clerk', `${paused}-`]);
  await has('clerk', 2);
  // Who deletes it gets back what there was before.
  const restore = { spec: { advanced: { restoreToOriginalReplicaCount: true } } };
  await node.kubectlOk(['patch', 'scaledobject/clerk', '--type=merge', '-p', JSON.stringify(restore)]);
  await eventually('it to be taken up', async () => {
    const { metadata, status } = await get('scaledobject', 'clerk');
    return status.originalReplicaCount === 0 && metadata.finalizers.length > 0;
  });
  await node.kubectlOk(['delete', 'scaledobject/clerk', '--timeout=60s']);
  await has('clerk', 0);
  assert.notEqual((await node.kubectl(['get', 'hpa', 'keda-hpa-clerk'])).code, 0);
});

test('jobs are made as long as there is something to do, not more than its maximum at once', async () => {
  const container = { name: 'main', image: testImage, imagePullPolicy: 'Never', command: ['sleep', '3'] };
  await node.create(deployment('letters', 0), {
    ...{ apiVersion: 'keda.sh/v1alpha1', kind: 'ScaledJob', metadata: { name: 'post' } },
    spec: {
      jobTargetRef: { template: { spec: { restartPolicy: 'Never', containers: [container] } } },
      ...{ pollingInterval: 2, maxReplicaCount: 2, successfulJobsHistoryLimit: 1 },
      triggers: [{ type: 'kubernetes-workload', metadata: { podSelector: 'app=letters', value: '1' } }],
    },
  });
  await node.kubectlOk(['wait', '--for=condition=Ready', 'scaledjob/post', '--timeout=60s']);
  assert.deepEqual((await get('jobs')).items, []);
  await node.kubectlOk(['scale', 'deployment/letters', '--replicas=5']);
  const seen = new Set<string>();
  await eventually(
    'four jobs',
    async () => {
      const { items } = await get('jobs', '-l', 'scaledjob.keda.sh/name=post');
      for (const { metadata } of items) seen.add(metadata.uid);
      const running = items.filter(({ status }: { status: { active?: number } }) => (status.active ?? 0) > 0);
      assert.ok(running.length <= 2, `${running.length} jobs run at once`);
      return seen.size >= 4;
    },
    90_000,
  );
  await node.kubectlOk(['scale', 'deployment/letters', '--replicas=0']);
  await eventually(
    'one job to be left, which is over',
    async () => {
      const { items } = await get('jobs', '-l', 'scaledjob.keda.sh/name=post');
      return items.length === 1 && items[0].status.succeeded === 1;
    },
    60_000,
  );
  await node.kubectlOk(['delete', 'scaledjob/post', '--timeout=60s']);
  await eventually('no job', async () => (await get('jobs')).items.length === 0);
});

test('its webhook refuses what two would scale', async () => {
  const object = scaled(
    'second',
    'cron',
    { timezone: 'UTC', start: '0 0 * * *', end: '1 0 * * *', desiredReplicas: '1' },
    'worker',
  );
  const { code, stderr } = await node.kubectl(['create', '-f', '-'], { stdin: JSON.stringify(object) });
  assert.equal(code, 1);
  assert.match(
    stderr,
    /admission webhook "vscaledobject\.kb\.io" denied the request: .*is already managed by the (hpa 'keda-hpa-worker'|ScaledObject 'worker')/,
  );
});

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { buildTestImage } from './image.ts';
import { eventually, TestNode } from './node.ts';
import { timeoutFlag } from './slowness.ts';

const images = ['docker.io/library/web:1', 'docker.io/library/web:2'] as const;
/** Ends at once when it is told to. */
const sleep = ['sh', '-c', 'trap exit TERM; sleep 100000 & wait'];
let node: TestNode;

before(async () => {
  node = await TestNode.start();
  for (const name of images) await buildTestImage(node.dataDir, name);
});
after(() => node?.remove());

const ok = (...words: string[]) => node.kubectlOk(words);
const field = (what: string, path: string) => ok('get', what, '-o', `jsonpath={${path}}`);
const rolledOut = (what: string) => ok('rollout', 'status', what, timeoutFlag(60));

const template = (app: string) => ({
  metadata: { labels: { app } },
  spec: { containers: [{ name: 'main', image: images[0], command: sleep }] },
});

test('a deployment is created, rolled over, taken back and scaled by kubectl', async () => {
  assert.match(
    await ok('create', 'deployment', 'web', `--image=${images[0]}`, '--replicas=2', '--', ...sleep),
    /created/,
  );
  assert.match(await rolledOut('deployment/web'), /deployment "web" successfully rolled out/);
  await ok('set', 'image', 'deployment/web', `web=${images[1]}`);
  await rolledOut('deployment/web');

  assert.match(
    await ok('get', 'pods', '-l', 'app=web', '-o', 'jsonpath={.items[*].spec.containers[0].image}'),
    /web:2/,
  );
  assert.match(await ok('rollout', 'history', 'deployment/web'), /^2 /m);
  await ok('rollout', 'undo', 'deployment/web');
  await rolledOut('deployment/web');
  assert.equal(await field('deployment/web', '.spec.template.spec.containers[0].image'), images[0]);
  await ok('scale', 'deployment/web', '--replicas=3');
  await rolledOut('deployment/web');
  assert.match(await ok('get', 'deployment', 'web'), /^web +3\/3 +3 +3 /m);
  assert.match(
    await ok('describe', 'deployment', 'web'),
    /ScalingReplicaSet .*Scaled up replica set web-\w+/,
  );
  assert.match(await ok('get', 'rs', '-l', 'app=web'), /^web-\w+ +3 +3 +3 /m);
  await ok('expose', 'deployment', 'web', '--port=80', '--target-port=8080');
  const slices = ['endpointslices', '-l', 'kubernetes.io/service-name=web'];
  const addresses = () => ok('get', ...slices, '-o', 'jsonpath={.items[*].endpoints[*].addresses[*]}');
  await eventually(
    'all its pods stand behind the service',
    async () => (await addresses()).split(' ').length === 3,
  );
  await ok('delete', 'deployment/web', 'service/web');
  await eventually(
    'its pods are gone',
    async () => (await ok('get', 'pods', '-l', 'app=web', '-o', 'name')) === '',
  );
});

test('a job made by kubectl runs to completion, also one that a cron job is asked for', async () => {
  await ok('create', 'job', 'sum', `--image=${images[0]}`, '--', 'sh', '-c', 'echo $((6*7))');
  await ok('wait', '--for=condition=Complete', 'job/sum', timeoutFlag(60));
  assert.equal(await ok('logs', 'job/sum'), '42\n');
  assert.match(await ok('get', 'job', 'sum'), /^sum +Complete +1\/1 /m);
  const schedule = '--schedule=0 4 * * *';
  await ok('create', 'cronjob', 'nightly', `--image=${images[0]}`, schedule, '--', 'true');
  await ok('create', 'job', 'tonight', '--from=cronjob/nightly');
  await ok('wait', '--for=condition=Complete', 'job/tonight', timeoutFlag(60));
  await ok('delete', 'job/sum', 'job/tonight', 'cronjob/nightly');
});

test('a stateful set rolls from its last pod to its first', async () => {
  const spec = {
    replicas: 2,
    serviceName: 'db',
    selector: { matchLabels: { app: 'db' } },
    template: template('db'),
  };
  await node.apply({ apiVersion: 'apps/v1', kind: 'StatefulSet', metadata: { name: 'db' }, spec });
  await rolledOut('statefulset/db');
  assert.equal(await ok('exec', 'db-1', '--', 'hostname'), 'db-1\n');
  await ok('set', 'image', 'statefulset/db', `main=${images[1]}`);
  assert.match(await rolledOut('statefulset/db'), /rolling update complete|partitioned roll out complete/);
  assert.equal(await field('pod/db-0', '.spec.containers[0].image'), images[1]);
  await ok('delete', 'statefulset', 'db');
});

test('a disruption budget keeps pods from being evicted, until it is gone', async () => {
  const spec = { replicas: 1, selector: { matchLabels: { app: 'one' } }, template: template('one') };
  await node.apply({ apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name: 'one' }, spec });
  await rolledOut('deployment/one');
  await ok('create', 'pdb', 'one', '--selector=app=one', '--min-available=1');
  await eventually(
    'the budget is known',
    async () => (await field('pdb/one', '.status.currentHealthy')) === '1',
  );
  const name = await ok('get', 'pods', '-l', 'app=one', '-o', 'jsonpath={.items[0].metadata.name}');
  const body = JSON.stringify({ apiVersion: 'policy/v1', kind: 'Eviction', metadata: { name } });
  const evict = () =>
    node.kubectl(['create', '--raw', `/api/v1/namespaces/default/pods/${name}/eviction`, '-f', '-'], {
      stdin: body,
    });
  assert.match((await evict()).stderr, /Cannot evict pod as it would violate the pod's disruption budget/);
  await ok('delete', 'pdb', 'one');
  assert.equal((await evict()).code, 0);
  await ok('delete', 'deployment', 'one');
});

test('a daemon set has a pod on the node, and rolls', async () => {
  const spec = { selector: { matchLabels: { app: 'log' } }, template: template('log') };
  await node.apply({ apiVersion: 'apps/v1', kind: 'DaemonSet', metadata: { name: 'log' }, spec });
  await rolledOut('daemonset/log');
  await ok('set', 'image', 'daemonset/log', `main=${images[1]}`);
  assert.match(await rolledOut('daemonset/log'), /daemon set "log" successfully rolled out/);
  assert.match(await ok('get', 'daemonset', 'log'), /^log +1 +1 +1 +1 +1 /m);
  await ok('delete', 'daemonset', 'log');
});

/** `cordon`, `uncordon` and `drain`. */
import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { hasReason, type Node } from '@wherry/kubeapi';
import { Served } from './served.ts';

let served: Served;

before(async () => {
  served = await Served.start();
  await served.client.create({ apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: 'default' } });
  await served.client.create({ apiVersion: 'v1', kind: 'Node', metadata: { name: 'n' } });
});
after(() => served?.close());
beforeEach(() => served.run('uncordon n'));

const said = (...lines: string[]) => ({
  code: 0,
  stdout: lines.map((line) => `${line}\n`).join(''),
  stderr: '',
});
const owned = (kind: string, uid: string) => ({
  ownerReferences: [{ apiVersion: 'apps/v1', kind, name: 'owner', uid, controller: true }],
});
const isOnNode = async (): Promise<boolean | undefined> =>
  (await served.client.get<Node>('Node/n')).spec?.unschedulable;

/** A pod on the node that no kubelet runs: it goes as soon as it is asked to, with no grace. */
async function pod(name: string, metadata: object = {}, volumes: object[] = []): Promise<void> {
  const spec = { nodeName: 'n', containers: [{ name: 'c', image: 'x' }], volumes };
  const labels = { app: name };
  await served.client.create({
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name, labels, ...metadata },
    spec,
  });
}
const isThere = (name: string) =>
  served.client.get(`Pod/${name}`).then(
    () => true,
    (error: unknown) => {
      assert.ok(hasReason(error, 'NotFound'));
      return false;
    },
  );

test('cordon and uncordon close and open a node, and say when it is so already', async () => {
  assert.deepEqual(await served.run('cordon n --dry-run=client'), said('node/n cordoned (dry run)'));
  assert.deepEqual(await served.run('cordon n --dry-run=server'), said('node/n cordoned (server dry run)'));
  assert.equal(await isOnNode(), undefined);
  assert.deepEqual(await served.run('cordon node/n'), said('node/n cordoned'));
  assert.equal(await isOnNode(), true);
  assert.deepEqual(await served.run('cordon n'), said('node/n already cordoned'));
  assert.deepEqual(await served.run('uncordon n'), said('node/n uncordoned'));
  assert.equal(await isOnNode(), undefined);
  const { code, stderr } = await served.run('cordon none n');
  assert.deepEqual([code, stderr], [1, 'Error from server (NotFound): nodes "none" not found\n']);
  assert.equal(await isOnNode(), undefined);
  assert.match((await served.run('drain')).stderr, /^error: USAGE: drain NODE \[flags\]\n/);
  assert.match((await served.run('cordon n -l a=b')).stderr, /both a node name and a --selector/);
});

test('drain takes no pod away as long as there is one that it may not', async () => {
  await served.client.create({
    ...{ apiVersion: 'apps/v1', kind: 'DaemonSet', metadata: { name: 'owner' } },
    spec: {
      selector: { matchLabels: { a: 'b' } },
      template: { metadata: { labels: { a: 'b' } }, spec: { containers: [{ name: 'c', image: 'x' }] } },
    },
  });
  await pod('daemon', owned('DaemonSet', 'a'));
  await pod('bare');
  await pod('local', owned('ReplicaSet', 'b'), [{ name: 'v', emptyDir: {} }]);
  const refused = await served.run('drain n --grace-period=0');
  const problems = [
    'cannot delete Pods that declare no controller (use --force to override): default/bare',
    'cannot delete DaemonSet-managed Pods (use --ignore-daemonsets to ignore): default/daemon',
    'cannot delete Pods with local storage (use --delete-emptydir-data to override): default/local',
  ];
  assert.deepEqual(refused, {
    ...{ code: 1, stdout: 'node/n cordoned\n' },
    stderr: [
      `error: unable to drain node "n" due to error: [${problems.join(', ')}], continuing command...`,
      'There are pending nodes to be drained:',
      ' n',
      ...problems,
      '',
    ].join('\n'),
  });
  assert.ok(await isThere('bare'));
  const drained = await served.run(
    'drain n --grace-period=0 --force --ignore-daemonsets --delete-emptydir-data',
  );
  assert.equal(
    drained.stderr,
    'Warning: deleting Pods that declare no controller: default/bare; ignoring DaemonSet-managed Pods: default/daemon\n',
  );
  const lines = drained.stdout.trimEnd().split('\n');
  assert.deepEqual(
    [lines[0], lines.at(-1), ...lines.slice(1, -1).sort()],
    [
      ...['node/n already cordoned', 'node/n drained'],
      ...['evicting pod default/bare', 'evicting pod default/local', 'pod/bare evicted', 'pod/local evicted'],
    ],
  );
  assert.deepEqual(await Promise.all(['daemon', 'bare', 'local'].map(isThere)), [true, false, false]);
  await served.client.delete('Pod/daemon', { gracePeriodSeconds: 0 });
});

test('drain waits until an evicted pod is gone, and no longer than it may', async () => {
  await pod('slow');
  const waiting = served.run('drain n --force --grace-period=600');
  await delay(300);
  await served.client.delete('Pod/slow', { gracePeriodSeconds: 0 });
  assert.deepEqual(
    (await waiting).stdout,
    'node/n cordoned\nevicting pod default/slow\npod/slow evicted\nnode/n drained\n',
  );
  await pod('slower');
  const late = await served.run('drain n --force --grace-period=600 --timeout=300ms');
  assert.equal(late.code, 1);
  assert.match(
    late.stderr,
    /error when waiting for pod "slower" in namespace "default" to terminate: context deadline exceeded\n/,
  );
  assert.match(late.stderr, /There are pending pods in node "n" when an error occurred: .*\npod\/slower\n/);
  const skipped = await served.run('drain n --force --grace-period=1 --skip-wait-for-delete-timeout=1');
  assert.match(skipped.stdout, /older than 1 seconds, skipping\nnode\/n drained\n$/);
  await served.client.delete('Pod/slower', { gracePeriodSeconds: 0 });
});

test('drain tries again what a disruption budget refuses, unless it may pass it by', async () => {
  const budget = {
    ...{ apiVersion: 'policy/v1', kind: 'PodDisruptionBudget', metadata: { name: 'kept' } },
    spec: { maxUnavailable: 0, selector: { matchLabels: { app: 'kept' } } },
  };
  const numbers = { currentHealthy: 1, desiredHealthy: 1, expectedPods: 1 };
  const allow = (disruptionsAllowed: number) => {
    const status = { observedGeneration: 1, disruptionsAllowed, ...numbers };
    return served.client.patch('PodDisruptionBudget/kept', { status }, { subresource: 'status' });
  };
  await served.client.create(budget);
  await allow(0);
  await pod('kept');
  const status = { phase: 'Running', conditions: [{ type: 'Ready', status: 'True' }] };
  await served.client.patch('Pod/kept', { status }, { subresource: 'status' });
  const draining = served.run('drain n --force --grace-period=0');
  await delay(500);
  assert.ok(await isThere('kept'));
  await allow(1);
  const { stdout, stderr } = await draining;
  assert.match(
    stderr,
    /error when evicting pods\/"kept" -n "default" \(will retry after 5s\): Cannot evict pod as it would violate/,
  );
  assert.match(stdout, /pod\/kept evicted\nnode\/n drained\n$/);
  await allow(0);
  await pod('kept');
  const past = await served.run('drain n --force --grace-period=0 --disable-eviction');
  assert.match(past.stdout, /pod\/kept deleted\nnode\/n drained\n$/);
});

test('drain asks for the pods of a node in chunks', async () => {
  for (const name of ['first', 'second', 'third']) await pod(name);
  const { code, stdout, stderr } = await served.run('drain n --force --dry-run=client -v=6 --chunk-size=2');
  assert.equal(code, 0, stderr);
  assert.equal(stdout.match(/^evicting pod /gm)?.length, 3);
  const asked = stderr.split('\n').filter((line) => line.includes('/api/v1/pods?'));
  assert.equal(asked.length, 2);
  for (const line of asked) assert.match(line, /limit=2/);
});

test('drain asks for the nodes of a selector in chunks', async () => {
  const { stderr } = await served.run('drain -l nobody=is --dry-run=client -v=6 --chunk-size=1');
  assert.match(stderr, /\/api\/v1\/nodes\?.*limit=1\b/);
});

test('an empty selector finds no node, where it would find all', async () => {
  for (const line of ['cordon --selector=', 'drain --selector=', 'uncordon -l=']) {
    const { code, stderr } = await served.run(line);
    assert.equal(code, 1, line);
    assert.match(stderr, /^error: you must provide one or more resources/, line);
  }
  assert.equal(await isOnNode(), undefined);
});

/** `autoscale`. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { kinds } from '@wherry/client';
import type { HorizontalPodAutoscaler } from '@wherry/kubeapi';
import { Served } from './served.ts';

let served: Served;

const template = (name: string) => ({
  metadata: { labels: { app: name } },
  spec: { containers: [{ name: 'c', image: 'app' }] },
});
const workload = (kind: string, name: string) => ({
  ...{ apiVersion: 'apps/v1', kind, metadata: { name } },
  spec: { selector: { matchLabels: { app: name } }, template: template(name) },
});

before(async () => {
  served = await Served.start();
  for (const name of ['web', 'other']) await served.client.create(workload('Deployment', name));
  await served.client.create(workload('DaemonSet', 'each'));
  await served.client.create({
    ...{ apiVersion: 'v1', kind: 'ReplicationController', metadata: { name: 'rc' } },
    spec: { selector: { app: 'rc' }, template: template('rc') },
  });
});
after(() => served?.close());

const failed = (stderr: string) => ({ code: 1, stdout: '', stderr: `${stderr}\n` });
const said = (stdout: string) => ({ code: 0, stdout: `${stdout}\n`, stderr: '' });
const metric = (name: string, target: object) => ({ type: 'Resource', resource: { name, target } });

/** The autoscaler that a command line would create. */
async function wouldBe(line: string): Promise<HorizontalPodAutoscaler> {
  const ended = await served.run(`autoscale ${line} --dry-run=client -o json`);
  assert.equal(ended.code, 0, ended.stderr);
  return JSON.parse(ended.stdout) as HorizontalPodAutoscaler;
}

test('autoscale creates an autoscaler of the object', async () => {
  assert.deepEqual(
    await served.run('autoscale deploy/web --min=2 --max=5 --cpu=80%'),
    said('horizontalpodautoscaler.autoscaling/web autoscaled'),
  );
  const { metadata, spec } = await served.client
    .resource(kinds.horizontalPodAutoscalers)
    .get({ name: 'web' });
  assert.deepEqual(spec, {
    scaleTargetRef: { kind: 'Deployment', name: 'web', apiVersion: 'apps/v1' },
    ...{ minReplicas: 2, maxReplicas: 5 },
    metrics: [metric('cpu', { type: 'Utilization', averageUtilization: 80 })],
  });
  assert.deepEqual(
    metadata.managedFields?.map(({ manager }) => manager),
    ['wherry-autoscale'],
  );
  assert.deepEqual(
    await served.run('autoscale deploy web --max=5'),
    failed('Error from server (AlreadyExists): horizontalpodautoscalers.autoscaling "web" already exists'),
  );
});

test('autoscale --cpu and --memory take shares and amounts, of bare numbers in thousandths and Mi', async () => {
  const amount = (averageValue: string) => ({ type: 'AverageValue', averageValue });
  for (const [flags, wanted] of [
    ['', undefined],
    ['--cpu=500m', [metric('cpu', amount('500m'))]],
    ['--cpu=1500', [metric('cpu', amount('1500m'))]],
    ['--cpu=2000', [metric('cpu', amount('2'))]],
    ['--cpu=0.5e3', [metric('cpu', amount('500m'))]],
    ['--memory=1024', [metric('memory', amount('1Gi'))]],
    ['--memory=1G', [metric('memory', amount('1G'))]],
    [
      '--cpu=1 --memory=70%',
      [metric('cpu', amount('1m')), metric('memory', { type: 'Utilization', averageUtilization: 70 })],
    ],
    ['--cpu-percent=0', undefined],
  ] as const) {
    const { spec } = await wouldBe(`deploy/web --max=3 ${flags}`.trim());
    assert.deepEqual(spec?.metrics, wanted, flags);
    assert.equal(spec?.minReplicas, undefined);
  }
});

test('autoscale --cpu-percent is taken, and said to have had its time', async () => {
  const deprecated =
    "Flag --cpu-percent has been deprecated, Use --cpu with percentage or resource quantity format (e.g., '70%' for utilization or '500m' for milliCPU).\n";
  const { stdout, stderr } = await served.run(
    'autoscale rc rc --max=3 --cpu-percent=60 --dry-run=server -o json',
  );
  assert.equal(stderr, deprecated);
  const { spec } = JSON.parse(stdout) as HorizontalPodAutoscaler;
  assert.deepEqual(spec?.scaleTargetRef, { kind: 'ReplicationController', name: 'rc', apiVersion: 'v1' });
  assert.deepEqual(spec?.metrics, [metric('cpu', { type: 'Utilization', averageUtilization: 60 })]);
  assert.deepEqual(
    await served.run('autoscale rc rc --max=3 --cpu-percent=60 --cpu=1'),
    failed(`${deprecated}error: --cpu-percent and --cpu are mutually exclusive`),
  );
});

test('autoscale --dry-run creates nothing, and --name names the autoscaler', async () => {
  const line = 'autoscale deploy/other --max=3 --name=named';
  const named = 'horizontalpodautoscaler.autoscaling/named';
  assert.deepEqual(await served.run(`${line} --dry-run=client`), said(`${named} created (dry run)`));
  assert.deepEqual(
    await served.run(`${line} --dry-run=server`),
    said(`${named} autoscaled (server dry run)`),
  );
  assert.deepEqual(await served.run(`${line} -o name`), said(named));
  const placed = await wouldBe('deploy/other --max=3 -n default');
  assert.deepEqual(placed.metadata, { name: 'other', namespace: 'default' });
});

test('autoscale -f makes autoscalers of what a file names, there or not', async () => {
  const file = served.file('all.json', workload('StatefulSet', 'db'), workload('DaemonSet', 'no'));
  assert.deepEqual(await served.run(`autoscale -f ${file} --max=3`), {
    ...{ code: 1, stdout: 'horizontalpodautoscaler.autoscaling/db autoscaled\n' },
    stderr:
      'error: cannot autoscale a DaemonSet: could not find scale subresource for apps/v1, Resource=daemonsets in discovery information\n',
  });
});

test('autoscale refuses what is no target', async () => {
  for (const [line, says] of [
    ['deploy/web', 'error: required flag(s) "max" not set'],
    ['deploy/web --max=0', 'error: --max=MAXPODS is required and must be at least 1, max: 0'],
    [
      'deploy/web --max=2 --min=3',
      'error: --max=MAXPODS must be larger or equal to --min=MINPODS, max: 2, min: 3',
    ],
    ['deploy/web --max=2 --cpu=-5%', 'error: invalid percentage value: -5'],
    ['deploy/web --max=2 --cpu=x%', 'error: invalid percentage value: x'],
    ['deploy/web --max=2 --memory=9999999999%', 'error: invalid percentage value: 9999999999'],
    ['deploy/web --max=2 --cpu=much', 'error: invalid resource cpu value: much'],
    ['deploy/web --max=2 --memory=1Xi', 'error: invalid resource memory value: 1Xi'],
    ['deploy/nope --max=2', 'Error from server (NotFound): deployments.apps "nope" not found'],
    ['deploy --max=2', 'error: resource(s) were provided, but no name was specified'],
    [
      'ds/each --max=2',
      'error: cannot autoscale a DaemonSet: could not find scale subresource for apps/v1, Resource=daemonsets in discovery information',
    ],
  ] as const)
    assert.deepEqual(await served.run(`autoscale ${line}`), failed(says), line);
  const none = await served.run('autoscale --max=2');
  assert.match(none.stderr, /^error: You must provide one or more resources by argument or filename\./);
});

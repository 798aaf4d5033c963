/** OpenTelemetry's collector in a pod of a real node: what it finds of kubelet, cluster and logs, by its account's token. */
import assert from 'node:assert/strict';
import { copyFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { buildImage, fillTree } from '../../e2e/image.ts';
import { eventually, TestNode } from '../../e2e/node.ts';
import { buildProgram } from './build.ts';
import {
  collectorImage,
  collectorObjects,
  fileOf,
  memoryLimit,
  watchedObjects,
} from './collector/objects.ts';

const testMs = 90_000;

let node: TestNode;

before(async () => {
  const program = await buildProgram('collector');
  node = await TestNode.start('collected');
  const fill = (tree: string) => {
    fillTree(tree);
    copyFileSync(program, join(tree, 'bin/collector'));
  };
  await buildImage(node.dataDir, collectorImage, fill);
  const words = ['get', 'node', 'collected', '-o', 'json'];
  const { addresses, daemonEndpoints } = JSON.parse(await node.kubectlOk(words)).status;
  const kubelet = `${addresses[0].address}:${daemonEndpoints.kubeletEndpoint.Port}`;
  await node.create(...watchedObjects);
  await node.kubectlOk(['rollout', 'status', 'deployment/shop', '--timeout=60s']);
  await node.kubectlOk(['wait', '--for=condition=Complete', 'job/sums', '--timeout=60s']);
  await node.apply(...collectorObjects('collected', kubelet, join(node.dataDir, 'kubelet/pod-logs')));
  const written = ['exec', 'collector', '--', 'test', '-s', fileOf('metrics')];
  await eventually('its first figures', async () => (await node.kubectl(written)).code === 0);
});
after(() => node?.remove());

interface Attribute {
  key: string;
  value: Record<string, string>;
}

type Attributes = Record<string, string | undefined>;

const attributesOf = (list: readonly Attribute[] = []): Attributes =>
  Object.fromEntries(list.map(({ key, value }) => [key, String(Object.values(value)[0])]));

/** What it has written until now. */
async function told(kind: string) {
  const text = await node.kubectlOk(['exec', 'collector', '--', 'cat', fileOf(kind)]);
  // The last line may not be whole yet.
  return text
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line));
}

interface Figure {
  of: Attributes;
  more: Attributes;
  value: number;
}

/** The last values of that metric, one of each that it tells of. */
async function figures(metric: string): Promise<Figure[]> {
  const found = new Map<string, Figure>();
  for (const { resourceMetrics } of await told('metrics'))
    for (const { resource, scopeMetrics } of resourceMetrics)
      for (const { name, gauge, sum } of scopeMetrics.flatMap(
        (scope: { metrics: object[] }) => scope.metrics,
      ))
        for (const point of name === metric ? (gauge ?? sum).dataPoints : []) {
          const [of, more] = [attributesOf(resource.attributes), attributesOf(point.attributes)];
          found.set(JSON.stringify([of, more]), { of, more, value: Number(point.asDouble ?? point.asInt) });
        }
  return [...found.values()];
}

/** The value of that metric for the one that these attributes name, once `is` holds. */
async function figure(metric: string, wanted: Attributes, is = (_: number) => true): Promise<number> {
  const chosen = ({ of }: Figure) => Object.entries(wanted).every(([key, value]) => of[key] === value);
  let seen: number[] = [];
  return eventually(
    metric,
    async () => {
      seen = (await figures(metric)).filter(chosen).map(({ value }) => value);
      const value = seen.find(is);
      return value !== undefined && { value };
    },
    30_000,
  ).then(
    ({ value }) => value,
    (error: Error) => assert.fail(`${error.message}: ${JSON.stringify(wanted)} had ${seen}`),
  );
}

const between = (least: number, most: number) => (value: number) => value >= least && value <= most;
const busy = { 'k8s.pod.name': 'busy' };
const itsContainer = { ...busy, 'k8s.container.name': 'main' };

test('the kubelet tells of a container what it takes of its limits', { timeout: testMs }, async () => {
  await figure('container.cpu.usage', itsContainer, between(0.1, 0.25));
  const used = await figure('container.memory.working_set', itsContainer, between(1, memoryLimit));
  const available = await figure('container.memory.available', itsContainer, between(1, memoryLimit));
  assert.ok(Math.abs(used + available - memoryLimit) < memoryLimit / 4, `${used} + ${available}`);
  await figure('k8s.container.memory_limit_utilization', itsContainer, between(0.001, 1));
  await figure('k8s.pod.cpu.usage', busy, between(0.1, 0.3));
  await figure('k8s.pod.filesystem.usage', busy, between(3_000_000, 20_000_000));
  const network = (await figures('k8s.pod.network.io')).filter(
    ({ of }) => of['k8s.pod.name'] === 'collector',
  );
  assert.deepEqual(
    network.map(({ more, value }) => [more['interface'], more['direction'], value > 1_000]).sort(),
    [
      ['eth0', 'receive', true],
      ['eth0', 'transmit', true],
    ],
  );
});

test('the kubelet tells of its volumes how large and how full they are', { timeout: testMs }, async () => {
  const volume = (name: string) => ({ ...busy, 'k8s.volume.name': name });
  const names = await eventually('three volumes', async () => {
    const all = await figures('k8s.volume.capacity');
    const its = all.filter(({ of }) => of['k8s.pod.name'] === 'busy').map(({ of }) => of['k8s.volume.name']!);
    return its.length === 3 && its;
  });
  const secret = names.find((name) => name.startsWith('kube-api-access-'))!;
  assert.deepEqual(names.sort(), ['kept', secret, 'scratch']);
  // Half of the machine's memory would be more than the pod may have.
  await figure('k8s.volume.capacity', volume(secret), (value) => value === memoryLimit);
  const scratch = await figure('k8s.volume.capacity', {
    ...volume('scratch'),
    'k8s.volume.type': 'emptyDir',
  });
  const left = await figure('k8s.volume.available', volume('scratch'));
  assert.ok(left > 0 && left < scratch);
  const claim = { 'k8s.persistentvolumeclaim.name': 'kept' };
  await figure('k8s.volume.capacity', { ...volume('kept'), ...claim }, (value) => value > 0);
  await figure('k8s.volume.inodes.used', volume(secret), between(4, 20));
});

test('the kubelet tells of its machine', { timeout: testMs }, async () => {
  const machine = { 'k8s.node.name': 'collected' };
  await figure('k8s.node.cpu.usage', machine, between(0.05, availableParallelism() + 0.5));
  await figure('k8s.node.memory.working_set', machine, (value) => value > memoryLimit);
  await figure('k8s.node.filesystem.capacity', machine, (value) => value > 1 << 30);
  await figure('k8s.node.uptime', machine, (value) => value > 0);
});

test('the cluster is told of as it is', { timeout: testMs }, async () => {
  const shop = { 'k8s.deployment.name': 'shop' };
  assert.equal(await figure('k8s.deployment.desired', shop), 2);
  await figure('k8s.deployment.available', shop, (value) => value === 2);
  assert.equal(await figure('k8s.job.successful_pods', { 'k8s.job.name': 'sums' }), 1);
  await figure('k8s.container.restarts', { 'k8s.pod.name': 'falls' }, (value) => value > 0);
  await figure('k8s.container.ready', { 'k8s.pod.name': 'falls' }, (value) => value === 0);
  assert.equal(await figure('k8s.container.cpu_limit', itsContainer), 0.2);
  assert.equal(await figure('k8s.container.memory_limit', itsContainer), memoryLimit);
  assert.equal(await figure('k8s.pod.phase', busy), 2);
  assert.equal(await figure('k8s.node.condition_ready', { 'k8s.node.name': 'collected' }), 1);
  assert.equal(await figure('k8s.node.allocatable_pods', { 'k8s.node.name': 'collected' }), 110);
  assert.equal(await figure('k8s.resource_quota.hard_limit', { 'k8s.resourcequota.name': 'most' }), 20);
  await figure('k8s.resource_quota.used', { 'k8s.resourcequota.name': 'most' }, (value) => value >= 5);
});

interface Line {
  of: Attributes;
  stream: string;
  text: string;
}

async function lines(pod: (name: string) => boolean): Promise<Line[]> {
  const found: Line[] = [];
  for (const { resourceLogs } of await told('logs'))
    for (const { resource, scopeLogs } of resourceLogs) {
      const of = attributesOf(resource.attributes);
      if (!pod(of['k8s.pod.name'] ?? '')) continue;
      for (const { body, attributes } of scopeLogs.flatMap(
        (scope: { logRecords: object[] }) => scope.logRecords,
      ))
        found.push({ of, stream: attributesOf(attributes)['log.iostream']!, text: body.stringValue });
    }
  return found;
}

test('logs are read from their files, each line once and whole, with whose they are', {
  timeout: testMs,
}, async () => {
  const said = await eventually('all lines', async () => {
    const all = await lines((name) => name === 'talks');
    return all.length >= 2_002 && all;
  });
  const output = said.filter(({ stream }) => stream === 'stdout').map(({ text }) => text);
  const numbers = Array.from({ length: 2_000 }, (_, index) => String(index + 1));
  assert.deepEqual(output, [...numbers, 'x'.repeat(40_000)]);
  assert.deepEqual(
    said.filter(({ stream }) => stream === 'stderr').map(({ text }) => text),
    ['oops'],
  );
  const { of } = said[0]!;
  assert.deepEqual(
    [of['k8s.namespace.name'], of['k8s.container.name'], of['k8s.container.restart_count'], of['app']],
    ['default', 'main', '0', 'talks'],
  );
  const open = await lines((name) => name.startsWith('shop-'));
  assert.deepEqual(
    open.map((line) => [line.text, line.of['k8s.deployment.name']]),
    Array(2).fill(['open', 'shop']),
  );
});

test('it has complained of nothing', async () => {
  const complaints = (await node.kubectlOk(['logs', 'collector']))
    .split('\n')
    .filter((line) => /\t(warn|error)\t/.test(line) && !/\[WARNING\].*deprecated/.test(line));
  assert.deepEqual(complaints, []);
});

/** A cluster of two nodes whose scheduler has a file of configuration: one profile that parts pods, one that packs them. */
import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { wherry } from './node.ts';

const folder = mkdtempSync(join(tmpdir(), 'wherry-profiles-'));
const dataDir = join(folder, 'data');
const write = (name: string, text: string) => {
  writeFileSync(join(folder, name), text);
  return join(folder, name);
};
const atNode = (...words: string[]) => wherry([...words, '--data-dir', dataDir], { env: { HOME: folder } });

const head = 'apiVersion: kubescheduler.config.k8s.io/v1\nkind: KubeSchedulerConfiguration\n';
const packing = `${head}profiles:
- schedulerName: default-scheduler
- schedulerName: packing
  pluginConfig:
  - name: NodeResourcesFit
    args:
      scoringStrategy: {type: MostAllocated, resources: [{name: cpu, weight: 5}, {name: memory}]}
  plugins:
    score: {disabled: [{name: NodeResourcesBalancedAllocation}, {name: PodTopologySpread}]}
`;
const node = `apiVersion: wherry/v1alpha1
kind: Node
name: one
dataDir: ${dataDir}
ports: {api: 0, kubelet: 0}
controllersFlags: {scheduler-config: scheduler.yaml}
nodes: [{name: two, ports: {kubelet: 0}}]
`;

before(async () => {
  write('scheduler.yaml', packing);
  const { code, stderr } = await wherry(['up', '--config', write('node.yaml', node), '--detach']);
  assert.equal(code, 0, stderr);
});
after(async () => {
  const { code, stderr } = await atNode('down', '--purge');
  assert.equal(code, 0, stderr);
  rmSync(folder, { recursive: true, force: true });
});

/** The nodes that pods get, one after the other: none of them has an image to run. */
async function nodesOf(schedulerName: string): Promise<string[]> {
  const names = [1, 2, 3, 4].map((index) => `${schedulerName}-${index}`);
  const nodes: string[] = [];
  for (const name of names) {
    const resources = { requests: { cpu: '100m', memory: '64Mi' } };
    const container = { name: 'main', image: 'none.invalid/none', imagePullPolicy: 'Never', resources };
    const spec = { schedulerName, containers: [container], terminationGracePeriodSeconds: 0 };
    const pod = { apiVersion: 'v1', kind: 'Pod', metadata: { name }, spec };
    const made = await atNode('create', '-f', write(`${name}.json`, JSON.stringify(pod)));
    assert.equal(made.code, 0, made.stderr);
    await atNode('wait', `pod/${name}`, '--for=condition=PodScheduled', '--timeout=20s');
    nodes.push((await atNode('get', 'pod', name, '-o', 'jsonpath={.spec.nodeName}')).stdout);
  }
  return nodes;
}

test('pods are parted by the default profile and packed by the other, and told by whom', async () => {
  const parted = await nodesOf('default-scheduler');
  assert.deepEqual([...new Set(parted)].sort(), ['one', 'two'], `${parted}`);
  const packed = await nodesOf('packing');
  assert.equal(new Set(packed).size, 1, `${packed}`);
  const { stdout } = await atNode(
    'get',
    'events',
    '-o',
    'jsonpath={range .items[?(@.reason=="Scheduled")]}{.involvedObject.name} {.reportingComponent}{"\\n"}{end}',
  );
  assert.match(stdout, /^packing-1 packing$/m);
  assert.match(stdout, /^default-scheduler-1 default-scheduler$/m);
});

test('what a file says is written out whole, and one that is wrong says why', async () => {
  const written = join(folder, 'written.yaml');
  const file = join(folder, 'scheduler.yaml');
  const { code, stderr } = await wherry(['scheduler', '--config', file, '--write-config-to', written]);
  assert.equal(code, 0, stderr);
  const text = readFileSync(written, 'utf8');
  assert.match(text, /type: MostAllocated/);
  assert.match(text, /percentageOfNodesToScore: 0/);
  const odd = write('odd.yaml', `${head}podMaxBackoffSeconds: 0\nprofiles: [{plugins: {}}, {}]\n`);
  const refused = await wherry(['scheduler', '--config', odd, '--kubeconfig', '/none']);
  assert.equal(refused.code, 1);
  assert.match(
    refused.stderr,
    /odd\.yaml": \[profiles\[0\]\.schedulerName: Required value, .*podMaxBackoffSeconds: Invalid value: 0: must be greater than or equal to PodInitialBackoffSeconds\]/,
  );
});

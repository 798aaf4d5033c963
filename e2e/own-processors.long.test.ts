/** Processors and memory that containers have to themselves, on real containers. Needs two processors. */
import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, openSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { cpus } from 'node:os';
import { dirname, join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { replaceKubelet } from './changed-kubelet.ts';
import { eventually, podOf, TestNode } from './node.ts';

const last = cpus().length - 1;
const all = last === 1 ? '0-1' : `0-${last}`;
/** All but one processor are kept back, so that one can be given away. */
const kept = last === 1 ? '0' : `0-${last - 1}`;

let node: TestNode;
let kubelet: ChildProcess | undefined;

before(async () => {
  node = await TestNode.start('own-processors');
  // Another policy needs records of its own.
  for (const name of ['cpu', 'memory']) rmSync(join(node.dataDir, 'kubelet', `${name}_manager_state`));
  kubelet = await replaceKubelet(node, {
    cpuManagerPolicy: 'static',
    reservedSystemCPUs: kept,
    memoryManagerPolicy: 'Static',
    kubeReserved: {},
    systemReserved: { memory: '100Mi' },
    evictionHard: { 'memory.available': '100Mi' },
    reservedMemory: [{ numaNode: 0, limits: { memory: '200Mi' } }],
    topologyManagerPolicy: 'single-numa-node',
  });
});
after(async () => {
  kubelet?.kill('SIGKILL');
  await node?.remove();
});

const read = (pod: string, path: string) => node.kubectlOk(['get', 'pod', pod, '-o', `jsonpath={${path}}`]);
/** Of the container's first process, as the kernel says it. */
const allowed = async (pod: string, what: 'Cpus' | 'Mems') => {
  const line = await node.kubectlOk(['exec', pod, '--', 'grep', `${what}_allowed_list`, '/proc/1/status']);
  return line.split(/\s+/)[1];
};
const runsOn = (pod: string, list: string) =>
  eventually(`${pod} runs on ${list}`, async () => (await allowed(pod, 'Cpus')) === list);
const amounts = { cpu: '1', memory: '64Mi' };
const pinned = (name: string, spec: object = {}) =>
  podOf(name, { resources: { requests: amounts, limits: amounts } }, spec);

describe('processors that a container has to itself', { skip: last < 1 }, () => {
  test('are given to a Guaranteed container, and others have fewer from then on', async () => {
    await node.apply(podOf('shared'));
    await runsOn('shared', all);
    await eventually(
      'the node has one processor to give',
      async () =>
        (await node.kubectlOk(['get', 'node', '-o', 'jsonpath={.items[0].status.allocatable.cpu}'])) === '1',
    );
    await node.apply(pinned('pinned'));
    assert.equal(await allowed('pinned', 'Cpus'), String(last));
    assert.equal(await allowed('pinned', 'Mems'), '0');
    await runsOn('shared', kept);
    await node.apply(podOf('later'));
    assert.equal(await allowed('later', 'Cpus'), kept);
  });

  test('are held to no quota', async () => {
    const quota = quotaOf(await podGroup('pinned'));
    assert.ok(quota === '-1' || quota.startsWith('max'), quota);
  });

  test('are told of in the record and in the figures', async () => {
    const record = JSON.parse(readFileSync(join(node.dataDir, 'kubelet', 'cpu_manager_state'), 'utf8'));
    assert.equal(record.defaultCpuSet, kept);
    assert.deepEqual(record.entries, { [await read('pinned', '.metadata.uid')]: { main: String(last) } });
    const name = await node.kubectlOk(['get', 'node', '-o', 'jsonpath={.items[0].metadata.name}']);
    const metrics = await node.kubectlOk(['get', '--raw', `/api/v1/nodes/${name}/proxy/metrics`]);
    assert.match(metrics, /^kubelet_cpu_manager_pinning_requests_total 1$/m);
    assert.match(metrics, /^kubelet_cpu_manager_exclusive_cpu_allocation_count 1$/m);
    assert.match(metrics, /^kubelet_memory_manager_pinning_requests_total 1$/m);
  });

  test('are not given to a second container: its pod is refused', async () => {
    const nodeName = await node.kubectlOk(['get', 'node', '-o', 'jsonpath={.items[0].metadata.name}']);
    const greedy = pinned('greedy', { nodeName });
    await node.kubectlOk(['apply', '-f', '-'], { stdin: JSON.stringify(greedy) });
    await eventually('the verdict', async () => (await read('greedy', '.status.phase')) === 'Failed');
    assert.equal(await read('greedy', '.status.reason'), 'OutOfcpu');
  });

  test('stay with it when the kubelet is killed and another takes over', async () => {
    const id = await read('pinned', '.status.containerStatuses[0].containerID');
    kubelet = await again(kubelet);
    await node.apply(podOf('after'));
    assert.equal(await allowed('after', 'Cpus'), kept);
    assert.equal(await allowed('pinned', 'Cpus'), String(last));
    assert.equal(await read('pinned', '.status.containerStatuses[0].containerID'), id);
    assert.equal(await read('pinned', '.status.containerStatuses[0].restartCount'), '0');
  });

  test('go back to all when it ends', async () => {
    await node.kubectlOk(['delete', 'pod', 'pinned']);
    for (const name of ['shared', 'later', 'after']) await runsOn(name, all);
    const record = JSON.parse(readFileSync(join(node.dataDir, 'kubelet', 'cpu_manager_state'), 'utf8'));
    assert.deepEqual([record.defaultCpuSet, record.entries], [all, undefined]);
  });
});

/** Where the container's group is, in the tree that holds processors to quotas. */
async function podGroup(pod: string): Promise<string> {
  const uid = await read(pod, '.metadata.uid');
  const tree = ['/sys/fs/cgroup/cpu', '/sys/fs/cgroup'].find((folder) => existsSync(folder)) ?? '';
  const paths = readdirSync(tree, { recursive: true, encoding: 'utf8' });
  const files = paths.filter((path) => path.includes(`pod${uid}/`) && path.endsWith('/cgroup.procs'));
  return join(tree, dirname(files[0] ?? ''));
}

function quotaOf(group: string): string {
  const name = ['cpu.cfs_quota_us', 'cpu.max'].find((file) => existsSync(join(group, file))) ?? '';
  return readFileSync(join(group, name), 'utf8').trim();
}

/** Kills a kubelet and starts one like it. */
async function again(child: ChildProcess | undefined): Promise<ChildProcess> {
  assert.ok(child);
  const gone = new Promise((resolve) => child.once('exit', resolve));
  child.kill('SIGKILL');
  await gone;
  const log = openSync(join(node.dataDir, 'changed-kubelet.log'), 'a');
  return spawn(child.spawnfile, child.spawnargs.slice(1), { stdio: ['ignore', log, log] });
}

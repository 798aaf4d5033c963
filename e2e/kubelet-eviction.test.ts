/** A node that runs out: of the memory that pods may have, of its own disk; and pods over their limits on disk. */
import assert from 'node:assert/strict';
import type { ChildProcess } from 'node:child_process';
import { totalmem } from 'node:os';
import { after, before, describe, test } from 'node:test';
import { type LoopDisk, loopDisk } from '../packages/images/test/loop-disk.ts';
import { replaceKubelet } from './changed-kubelet.ts';
import { eventually, scriptPod, TestNode } from './node.ts';

const mebibyte = 2 ** 20;
/** What all pods together may have. */
const podsBytes = 400 * mebibyte;

interface PodAnswer {
  status: {
    phase: string;
    reason?: string;
    message?: string;
    conditions: { type: string; status: string }[];
  };
}
interface NodeAnswer {
  status: { conditions: { type: string; status: string }[] };
}

let node: TestNode;
let kubelet: ChildProcess;
let disk: LoopDisk;

before(async () => {
  disk = loopDisk();
  node = await TestNode.start('eviction');
  const changes = {
    evictionHard: { 'memory.available': `${100 * mebibyte}`, 'nodefs.available': '50%' },
    evictionPressureTransitionPeriod: '1s',
    kubeReserved: { memory: String(totalmem() - podsBytes) },
    podLogsDir: `${disk.folder}/logs`,
  };
  kubelet = await replaceKubelet(node, changes, { 'root-dir': `${disk.folder}/kubelet` });
});
after(async () => {
  // Purging the node knows nothing of the kubelet's other folder: its pods go while their kubelet is there.
  await node?.kubectlOk(['delete', 'pods', '--all', '--now', '--timeout=60s']);
  kubelet?.kill('SIGKILL');
  await node?.remove();
  disk?.[Symbol.dispose]();
});

const podOf = async (name: string): Promise<PodAnswer> =>
  JSON.parse(await node.kubectlOk(['get', 'pod', name, '-o', 'json']));

/** The pod's status once it was evicted. */
async function evicted(name: string): Promise<PodAnswer['status']> {
  return eventually(
    `${name} is evicted`,
    async () => {
      const { status } = await podOf(name);
      return status.phase === 'Failed' && status;
    },
    90_000,
  );
}

const conditionOf = async (type: string) => {
  const answer: NodeAnswer = JSON.parse(await node.kubectlOk(['get', 'node', 'eviction', '-o', 'json']));
  return answer.status.conditions.find((condition) => condition.type === type)?.status;
};
const holds = (status: PodAnswer['status'], type: string) =>
  status.conditions.some((condition) => condition.type === type && condition.status === 'True');
const memoryRequest = (memory: string) => ({ resources: { requests: { memory } } });

test('a pod over the size of its emptyDir is evicted, the others stay', async () => {
  const volumes = [{ name: 'scratch', emptyDir: { sizeLimit: '1Mi' } }];
  const fill = scriptPod('greedy', 'head -c 3000000 /dev/zero > /scratch/file; sleep 1000', { volumes });
  Object.assign(fill.spec.containers[0] ?? {}, {
    volumeMounts: [{ name: 'scratch', mountPath: '/scratch' }],
  });
  const writers = Object.entries({ writer: '/file', 'host-writer': '/etc/hosts' }).map(([name, file]) => {
    const pod = scriptPod(name, `head -c 5000000 /dev/zero > ${file}; sleep 1000`);
    Object.assign(pod.spec.containers[0] ?? {}, { resources: { limits: { 'ephemeral-storage': '2Mi' } } });
    return pod;
  });
  await node.apply(scriptPod('bystander', 'sleep 1000'));
  await node.create(fill, ...writers);
  const status = await evicted('greedy');
  assert.equal(status.reason, 'Evicted');
  assert.equal(status.message, 'Usage of EmptyDir volume "scratch" exceeds the limit "1Mi". ');
  assert.equal(holds(status, 'DisruptionTarget'), false);
  assert.equal((await podOf('bystander')).status.phase, 'Running');
});

test('CVE-2020-8557: what a pod writes to its hosts file counts for its limit of ephemeral storage', async () => {
  assert.match((await evicted('host-writer')).message ?? '', /total limit of containers 2Mi/);
});

test('a pod over its limit of ephemeral storage is evicted for what it wrote to its own files', async () => {
  const status = await evicted('writer');
  assert.match(
    status.message ?? '',
    /^Pod ephemeral local storage usage exceeds the total limit of containers 2Mi/,
  );
});

describe('when pods take nearly all memory that they may have', () => {
  test('the pod furthest over its request goes, the node says so and recovers', async () => {
    const hold = (name: string, megabytes: number, container: object) => {
      const volumes = [{ name: 'memory', emptyDir: { medium: 'Memory' } }];
      const pod = scriptPod(name, `head -c ${megabytes}000000 /dev/zero > /memory/file; sleep 1000`, {
        volumes,
      });
      const volumeMounts = [{ name: 'memory', mountPath: '/memory' }];
      Object.assign(pod.spec.containers[0] ?? {}, container, { volumeMounts });
      return pod;
    };
    await node.apply(hold('modest', 30, memoryRequest('200Mi')));
    await node.create(hold('hungry', 290, memoryRequest('10Mi')));
    const [status] = await Promise.all([
      evicted('hungry'),
      eventually('the node says so', async () => (await conditionOf('MemoryPressure')) === 'True', 60_000),
    ]);
    assert.match(
      status.message ?? '',
      /^The node was low on resource: memory\. Threshold quantity: 100Mi, available: /,
    );
    assert.match(
      status.message ?? '',
      /Container main was using \d+Ki, request is 10Mi, has larger consumption of memory/,
    );
    assert.ok(holds(status, 'DisruptionTarget'));
    assert.equal((await podOf('modest')).status.phase, 'Running');
    await eventually(
      'the node recovers',
      async () => (await conditionOf('MemoryPressure')) === 'False',
      60_000,
    );
  });
});

describe('when the disk of the kubelet fills up', () => {
  test('the pod that keeps most there goes, the node says so and recovers', async () => {
    const volumes = [{ name: 'data', emptyDir: {} }];
    const fill = scriptPod('filler', 'head -c 30000000 /dev/zero > /data/file; sleep 1000', { volumes });
    Object.assign(fill.spec.containers[0] ?? {}, { volumeMounts: [{ name: 'data', mountPath: '/data' }] });
    await node.create(fill);
    const status = await evicted('filler');
    assert.match(status.message ?? '', /^The node was low on resource: ephemeral-storage\. /);
    assert.ok(holds(status, 'DisruptionTarget'));
    assert.equal((await podOf('bystander')).status.phase, 'Running');
    await eventually(
      'the node recovers',
      async () => (await conditionOf('DiskPressure')) === 'False',
      60_000,
    );
    const events = await node.kubectlOk(['get', 'events', '-o', 'jsonpath={.items[*].reason}']);
    assert.match(events, /EvictionThresholdMet/);
  });
});

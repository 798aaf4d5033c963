import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { EndpointSlice, Node, Pod } from '@wherry/kubeapi';
import { eventually, podOf, TestNode } from './node.ts';
import { stretched } from './slowness.ts';

const names = ['plain', 'probed'];
const backMs = 60_000;

/** What of the node, its pods and their service others act on. */
async function view(node: TestNode) {
  const read = async <T>(...words: string[]): Promise<T> =>
    JSON.parse(await node.kubectlOk(['get', ...words, '-o', 'json']));
  const [machine, pods, slices] = await Promise.all([
    read<Node>('node', node.name),
    read<{ items: Pod[] }>('pods'),
    read<{ items: EndpointSlice[] }>('endpointslices', '-l', 'kubernetes.io/service-name=both'),
  ]);
  const readyOf = (conditions: readonly { type: string; status: string }[] = []) =>
    conditions.find(({ type }) => type === 'Ready')?.status;
  return {
    node: readyOf(machine.status?.conditions),
    taints: (machine.spec?.taints ?? []).map(({ key }) => key),
    pods: pods.items.map(({ status }) => readyOf(status?.conditions)),
    endpoints: slices.items.flatMap(({ endpoints }) => (endpoints ?? []).map((one) => one.conditions?.ready)),
    containers: pods.items.map(({ metadata, status }) => {
      const [container] = status?.containerStatuses ?? [];
      return [metadata.name, metadata.uid, container?.containerID, container?.restartCount];
    }),
  };
}

describe('a kubelet that was silent for longer than nodes may be', { timeout: stretched(600_000) }, () => {
  let node: TestNode;
  const isInOrder = async () => {
    const now = await view(node);
    const isAll = [...now.pods, ...now.endpoints].every((ready) => ready === 'True' || ready === true);
    return now.node === 'True' && now.taints.length === 0 && now.endpoints.length === 2 && isAll && now;
  };
  const untilGivenUp = () =>
    eventually(
      'the node to be given up and its pods to be told as not ready',
      async () => {
        const now = await view(node);
        const isNone = [...now.pods, ...now.endpoints].every((ready) => ready === 'False' || ready === false);
        return now.node === 'Unknown' && isNone;
      },
      100_000,
    );

  before(async () => {
    node = await TestNode.start('silent');
    const readinessProbe = { exec: { command: ['true'] }, periodSeconds: 1 };
    const labelled = (name: string, container: object) => {
      const pod = podOf(name, container);
      return { ...pod, metadata: { ...pod.metadata, labels: { app: 'both' } } };
    };
    await node.apply(
      {
        ...{ apiVersion: 'v1', kind: 'Service', metadata: { name: 'both' } },
        spec: { selector: { app: 'both' }, ports: [{ port: 80 }] },
      },
      ...names.map((name) => labelled(name, name === 'probed' ? { readinessProbe } : {})),
    );
  });

  after(() => node.remove());

  for (const [how, silence, back] of [
    ['was stopped and goes on', 'SIGSTOP', (pid: number) => Promise.resolve(process.kill(pid, 'SIGCONT'))],
    ['was killed and comes back', 'SIGKILL', () => node.up()],
  ] as const)
    it(`that ${how} has its pods ready and behind their service again, and starts none anew`, async () => {
      const before = await eventually('all in order', isInOrder);
      const pid = await node.pidOf('kubelet');
      process.kill(pid, silence);
      try {
        await untilGivenUp();
      } finally {
        await back(pid);
      }
      const now = await eventually('all in order again', isInOrder, backMs).catch(async (cause: Error) => {
        throw new Error(JSON.stringify(await view(node)), { cause });
      });
      assert.deepEqual(now.containers, before.containers);
    });
});

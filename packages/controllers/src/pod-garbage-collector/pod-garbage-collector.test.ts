import assert from 'node:assert/strict';
import { it } from 'node:test';
import { FakeClock } from '@wherry/clock';
import { type Node, notFound, type Pod } from '@wherry/kubeapi';
import { silentLogger } from '@wherry/telemetry';
import { podsToSweep, sweeper } from './pod-garbage-collector.ts';

const pod = (
  name: string,
  nodeName: string | undefined,
  more: Partial<Pod> & { created?: string } = {},
): Pod => ({
  metadata: { name, creationTimestamp: more.created ?? '2026-01-01T00:00:00Z', ...more.metadata },
  spec: { containers: [], ...(nodeName ? { nodeName } : {}) },
  ...(more.status ? { status: more.status } : {}),
});

it('sweeps pods of vanished nodes, deleted ones that were never scheduled, and the oldest of too many finished', () => {
  const finished = { phase: 'Succeeded' } as const;
  const pods = [
    pod('lives', 'here'),
    pod('homeless', 'gone'),
    pod('unscheduled', undefined),
    pod('unscheduled-deleted', undefined, {
      metadata: { name: 'd', deletionTimestamp: '2026-01-01T00:00:00Z' },
    }),
    pod('newest', 'here', { created: '2026-01-03T00:00:00Z', status: finished }),
    pod('oldest', 'here', { created: '2026-01-01T00:00:00Z', status: finished }),
    pod('middle', 'here', { created: '2026-01-02T00:00:00Z', status: finished }),
  ];
  const names = podsToSweep(pods, new Set(['here']), 2).map(({ metadata }) => metadata?.name);
  assert.deepEqual(names, ['homeless', 'd', 'oldest']);
});

it('sweeps those first that were evicted, however young they are', () => {
  const evicted = { phase: 'Failed', reason: 'Evicted' } as const;
  const pods = [
    pod('old', 'here', { created: '2026-01-01T00:00:00Z', status: { phase: 'Failed' } }),
    pod('second', 'here', { created: '2026-01-02T00:00:00Z', status: evicted }),
    pod('first', 'here', { created: '2026-01-02T00:00:00Z', status: evicted }),
  ];
  const names = (kept: number) =>
    podsToSweep(pods, new Set(['here']), kept).map(({ metadata }) => metadata.name);
  assert.deepEqual([names(2), names(1), names(0)], [['first'], ['first', 'second'], []]);
});

it('sweeps the pods that are to go from a node that is out of service, once it is not ready', () => {
  const leaving = { metadata: { deletionTimestamp: '2026-01-01T00:00:00Z' } };
  const pods = ['a', 'b'].flatMap((node) => [pod(`stays-${node}`, node), pod(node, node, leaving)]);
  pods.forEach((each, index) => {
    each.metadata.name = `${index}`;
  });
  const taints = [{ key: 'node.kubernetes.io/out-of-service', effect: 'NoExecute' as const }];
  const node = (name: string, status: 'True' | 'Unknown'): [string, Node] => [
    name,
    { metadata: { name }, spec: { taints }, status: { conditions: [{ type: 'Ready', status }] } },
  ];
  const nodes = new Map([node('a', 'Unknown'), node('b', 'True')]);
  const names = podsToSweep(pods, new Set(nodes.keys()), 10, nodes).map(({ metadata }) => metadata.name);
  assert.deepEqual(names, ['1']);
});

/** A sweeper of pods on the node `far`, which no informer has shown, and what it does to them. */
async function sweeperOf(options: { isNodeThere: boolean; pods?: Pod[]; refuses?: string }) {
  const done: string[] = [];
  const get = async ({ name }: { name: string }) => {
    if (!options.isNodeThere) throw notFound({ group: '', resource: 'nodes' }, name);
  };
  const remove = async ({ name }: { name: string }) => {
    if (name === options.refuses) throw new Error('a webhook says no');
    done.push(`deletes ${name}`);
  };
  const patch = async ({ name, patch: { status } }: { name: string; patch: Pod }) => {
    const reasons = status?.conditions?.map(({ reason }) => reason) ?? [];
    done.push(['marks', name, status?.phase, ...reasons].join(' '));
  };
  const client = { metadata: () => ({ get }), resource: () => ({ delete: remove, patch }) };
  const pods = options.pods ?? [pod('p', 'far')];
  const informers = {
    nodes: { objects: new Map() },
    pods: { objects: new Map(pods.map((each) => [each.metadata.name, each])) },
  };
  const cluster = { client, clock: new FakeClock(), logger: silentLogger };
  const { reconcile } = sweeper({ cluster, informers } as unknown as Parameters<typeof sweeper>[0]);
  for (let turn = 0; turn < 2; turn++) await reconcile('', AbortSignal.timeout(1_000));
  return done;
}

it('sweeps a pod whose node the server does not know, in two sweeps, as one that failed', async () => {
  const done = await sweeperOf({ isNodeThere: false });
  assert.deepEqual(done, ['marks p Failed DeletionByPodGC', 'deletes p']);
});

it('leaves the end of a pod as it was told', async () => {
  const pods = [pod('done', 'far', { status: { phase: 'Succeeded' } })];
  assert.deepEqual(await sweeperOf({ isNodeThere: false, pods }), ['deletes done']);
});

it('sweeps the others when one can’t be deleted', async () => {
  const pods = [pod('kept', 'far'), pod('p', 'far')];
  const done = await sweeperOf({ isNodeThere: false, pods, refuses: 'kept' });
  assert.ok(done.includes('deletes p'));
});

it('sweeps no pod of a node that the server knows and the watch has not shown', async () => {
  assert.deepEqual(await sweeperOf({ isNodeThere: true }), []);
});

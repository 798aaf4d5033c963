import assert from 'node:assert/strict';
import { it } from 'node:test';
import { notFound, type Pod } from '@wherry/kubeapi';
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

/** A sweeper of one pod on the node `far`, which no informer has shown; `deleted` grows by what it deletes. */
async function sweeperOf(options: { hasListedNodes: boolean; isNodeThere: boolean }) {
  const deleted: string[] = [];
  const get = async ({ name }: { name: string }) => {
    if (!options.isNodeThere) throw notFound({ group: '', resource: 'nodes' }, name);
  };
  const remove = async ({ name }: { name: string }) => void deleted.push(name);
  const client = { metadata: () => ({ get }), resource: () => ({ delete: remove }) };
  const informers = {
    nodes: { hasSynced: options.hasListedNodes, objects: new Map() },
    pods: { hasSynced: true, objects: new Map([['p', pod('p', 'far')]]) },
  };
  const context = { cluster: { client }, informers } as unknown as Parameters<typeof sweeper>[0];
  const { reconcile } = sweeper(context);
  for (let turn = 0; turn < 4; turn++) await reconcile('', AbortSignal.timeout(1_000));
  return deleted;
}

it('sweeps a pod whose node the server does not know, in two sweeps', async () => {
  assert.deepEqual((await sweeperOf({ hasListedNodes: true, isNodeThere: false })).slice(0, 1), ['p']);
});

it('sweeps no pod while the nodes have not been listed', async () => {
  assert.deepEqual(await sweeperOf({ hasListedNodes: false, isNodeThere: false }), []);
});

it('sweeps no pod of a node that the server knows and the watch has not shown', async () => {
  assert.deepEqual(await sweeperOf({ hasListedNodes: true, isNodeThere: true }), []);
});

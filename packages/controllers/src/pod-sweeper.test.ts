import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { Pod } from '@wherry/kubeapi';
import { podsToSweep } from './pod-sweeper.ts';

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

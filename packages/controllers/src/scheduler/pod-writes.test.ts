import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { KubeClient } from '@wherry/client';
import { FakeClock } from '@wherry/clock';
import type { EventRecorder, ObjectEvent } from '../machinery/events.ts';
import type { PodInfo } from './cluster/pod-info.ts';
import { PodWrites } from './pod-writes.ts';

test('a pod is told to be scheduled when it was, before what its node does of it', async () => {
  const clock = new FakeClock();
  const begunMs = clock.nowMs();
  const told: ObjectEvent[] = [];
  const writes = new PodWrites({
    clock,
    client: { resource: () => ({ create: async () => clock.advance(300) }) } as unknown as KubeClient,
    recorder: { record: (_pod: unknown, event: ObjectEvent) => told.push(event) } as unknown as EventRecorder,
  });
  const pod = { metadata: { name: 'web', namespace: 'shop' }, spec: { containers: [] } };
  await writes.bind({ pod } as unknown as PodInfo, 'one', new AbortController().signal);
  assert.deepEqual(
    told.map(({ reason, seenMs }) => [reason, seenMs]),
    [['Scheduled', begunMs]],
  );
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { KubeClient } from '@wherry/client';
import { FakeClock } from '@wherry/clock';
import type { EventRecorder, ObjectEvent } from '../../machinery/events.ts';
import type { PodInfo } from '../cluster/pod-info.ts';
import { PodWrites } from './pod-writes.ts';

test('a pod is told to be scheduled when it was, before what its node does of it', async () => {
  const clock = new FakeClock();
  const begunMs = clock.nowMs();
  const told: ObjectEvent[] = [];
  const writes = new PodWrites({
    clock,
    client: { resource: () => ({ create: async () => clock.advance(300) }) } as unknown as KubeClient,
    recorderOf: () =>
      ({ record: (_pod: unknown, event: ObjectEvent) => told.push(event) }) as unknown as EventRecorder,
  });
  const pod = { metadata: { name: 'web', namespace: 'shop' }, spec: { containers: [] } };
  const { signal } = new AbortController();
  await writes.bind({ pod } as unknown as PodInfo, 'one', { signal });
  assert.deepEqual(
    told.map(({ reason, seenMs }) => [reason, seenMs]),
    [['Scheduled', begunMs]],
  );
});

test('a pod that waits is told why each time, and its status says so once', async () => {
  const told: string[] = [];
  const patches: object[] = [];
  const writes = new PodWrites({
    clock: new FakeClock(),
    client: {
      resource: () => ({ patch: async (patch: object) => patches.push(patch) }),
    } as unknown as KubeClient,
    recorderOf: () =>
      ({
        record: (_pod: unknown, { message }: ObjectEvent) => told.push(message),
      }) as unknown as EventRecorder,
  });
  const metadata = { name: 'web', namespace: 'shop', generation: 2 };
  const known = { type: 'PodScheduled', status: 'False', reason: 'Unschedulable', message: 'no room' };
  const waiting = (condition?: object) =>
    ({
      pod: { metadata, spec: { containers: [] }, status: { conditions: condition ? [condition] : [] } },
    }) as unknown as PodInfo;
  const { signal } = new AbortController();
  await writes.tellRefused(waiting(), { message: 'no room' }, signal);
  await writes.tellRefused(waiting({ ...known, observedGeneration: 2 }), { message: 'no room' }, signal);
  assert.deepEqual([told.length, patches.length], [2, 1]);
  const failed = { message: 'no room', reason: 'SchedulerError' } as const;
  await writes.tellRefused(waiting({ ...known, observedGeneration: 2 }), failed, signal);
  assert.equal(patches.length, 2, 'another reason is news');
});

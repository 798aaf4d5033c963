import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FakeClock } from '@wherry/clock';
import { type ContainerEventResponse, ContainerEventType, type CriClient, CriError } from '@wherry/cri';
import { MetricsRegistry, silentLogger } from '@wherry/telemetry';
import { eventStreamRetryMs } from '../limits.ts';
import { LifecycleEvents } from './lifecycle-events.ts';
import { listFigures } from './list-figures.ts';
import { emptyPodRecord } from './pod-record.ts';

/** What of the series that begin with `name` is told, without it. */
const told = (metrics: MetricsRegistry, name: string) =>
  Object.fromEntries(
    [...metrics.render().matchAll(new RegExp(`^kubelet_${name}(\\w+) (.*)$`, 'gm'))].map(
      ([, rest, value]) => [rest, Number(value)],
    ),
  );

test('streams of events are counted, those that break too, and how late each event comes', async () => {
  const clock = new FakeClock({ nowMs: 10_000 });
  const metrics = new MetricsRegistry();
  const event = {
    ...{ containerEventType: ContainerEventType.CONTAINER_STARTED_EVENT, createdAt: 9_500_000_000n },
    ...{ containersStatuses: [], podSandboxStatus: { metadata: { uid: 'u' } } },
  } as unknown as ContainerEventResponse;
  const runtime = {
    listPodSandbox: async () => ({ items: [] }),
    listContainers: async () => ({ containers: [] }),
    async *getContainerEvents() {
      yield event;
      throw new CriError('UNAVAILABLE', 'it is gone');
    },
  } as unknown as CriClient['runtime'];
  const { onMeasured, stream } = listFigures(metrics, clock);
  const common = { runtime, clock, logger: silentLogger, onPodChanged: () => {}, onRelisted: () => {} };
  const events = new LifecycleEvents({ ...common, onMeasured, stream });
  await events.start();
  await clock.advanceAsync(eventStreamRetryMs);
  events.close();
  const { success_count, error_count, latency_seconds_count, ...rest } = told(
    metrics,
    'evented_pleg_connection_',
  );
  assert.deepEqual([success_count, error_count, latency_seconds_count], [2, 2, 2]);
  assert.equal(rest['latency_seconds_sum'], 0.5 + (0.5 + eventStreamRetryMs / 1_000));
});

test('questions about one pod are timed, failed ones too', async () => {
  const clock = new FakeClock();
  const metrics = new MetricsRegistry();
  const { timed } = listFigures(metrics, clock);
  const ask = timed(async (uid) => {
    await clock.advanceAsync(300);
    if (uid === 'gone') throw new CriError('UNAVAILABLE', 'it is gone');
    return emptyPodRecord(uid, clock);
  });
  await ask('u');
  await assert.rejects(ask('gone'));
  const { seconds_sum, seconds_count } = told(metrics, 'pleg_pod_relist_duration_');
  assert.deepEqual([seconds_sum, seconds_count], [0.6, 2]);
});

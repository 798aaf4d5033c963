import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FakeClock } from '@wherry/clock';
import { createLogger, MetricsRegistry } from '@wherry/telemetry';
import { container, pod } from '../../../test/builders.ts';
import type { EvictionRule, EvictionSignal } from '../../configuration/eviction-thresholds.ts';
import type { NodeSignals } from '../../observation/pressure/node-signals.ts';
import { PressureState } from '../../observation/pressure/pressure-state.ts';
import type { AssignedPod } from '../../pod/assigned-pod.ts';
import type { EventFacts } from '../../reporting/events/recorder.ts';
import type { KillReason } from '../workers/pod-worker.ts';
import { Evictor } from './evictor.ts';
import type { PodMeter } from './pod-meter.ts';
import type { PodUsage } from './pod-usage.ts';

interface Scene {
  rule: Partial<EvictionRule> & { signal: EvictionSignal };
  pods: AssignedPod[];
  /** What is left, of 100: the first observation, the next, and so on; the last stays. */
  left: number[];
  usages?: Record<string, Partial<PodUsage>>;
  maxGraceSeconds?: number;
}

/** An evictor over pods that are never gone, and what it did. */
function scene({ rule, pods, left, usages = {}, maxGraceSeconds = 0 }: Scene) {
  const clock = new FakeClock();
  const events: EventFacts[] = [];
  const killed: [string, KillReason][] = [];
  let freed = 0;
  let observed = 0;
  const rules = [{ threshold: { amount: 10 }, graceMs: 0, minReclaim: undefined, ...rule }];
  const ownFiles = { bytes: 0, inodes: 0 };
  const whole: PodUsage = { memoryBytes: 1, processes: 1, containers: [], volumes: new Map(), ownFiles };
  const metrics = new MetricsRegistry();
  const evictor = new Evictor({
    signals: {
      async observe() {
        clock.advance(20);
        const available = left[Math.min(observed++, left.length - 1)] ?? 0;
        return {
          observations: new Map([[rule.signal, { available, capacity: 100 }]]),
          hasImageFilesystem: false,
        };
      },
    } as unknown as NodeSignals,
    pressure: new PressureState({ rules, transitionMs: 300_000 }),
    meter: {
      measure: async () =>
        new Map(pods.map(({ metadata: { uid } }) => [uid, { ...whole, ...usages[uid] }] as const)),
      keep: () => {},
    } as unknown as PodMeter,
    clock,
    logger: createLogger('test', { write: () => {} }),
    recorder: { record: (event) => events.push(event) },
    nodeName: 'n1',
    evictions: metrics.counter('kubelet_evictions', 'Evicted pods.'),
    ages: metrics.histogram('kubelet_eviction_stats_age_seconds', 'How old.', [1]),
    limitsStorage: true,
    maxGraceSeconds,
    activePods: () => pods,
    kill: (uid, reason) => killed.push([uid, reason]),
    isGone: () => false,
    freeDisk: async () => {
      freed += 1;
    },
    onPressureChanged: () => {},
  });
  return { evictor, clock, events, killed, metrics, freed: () => freed };
}

const plain = (uid: string, more: object = {}) =>
  pod({ containers: [container('a')], ...more }, { name: uid, uid });

test('one pod goes at a time, with a second of grace, as Evicted and as a disruption', async () => {
  const { evictor, killed, events, metrics } = scene({
    rule: { signal: 'memory.available' },
    pods: [plain('small'), plain('large')],
    left: [5],
    usages: { small: { memoryBytes: 10 }, large: { memoryBytes: 20 } },
  });
  assert.deepEqual(
    (await evictor.look()).map(({ metadata }) => metadata.uid),
    ['large'],
  );
  const [[uid, { graceSeconds, verdict }]] = killed as [[string, KillReason]];
  assert.deepEqual(
    [uid, graceSeconds, verdict?.phase, verdict?.reason, verdict?.isDisruption],
    ['large', 1, 'Failed', 'Evicted', true],
  );
  assert.deepEqual(
    events.map(({ object, reason }) => `${object.kind} ${reason}`),
    ['Node EvictionThresholdMet', 'Pod Evicted'],
  );
  assert.match(metrics.render(), /kubelet_evictions\{eviction_signal="memory.available"\} 1/);
  assert.match(
    metrics.render(),
    /kubelet_eviction_stats_age_seconds_sum\{eviction_signal="memory.available"\} 0.02/,
  );
});

test('nobody goes when enough is free once dead containers and unused images are gone', async () => {
  const { evictor, killed, freed } = scene({
    rule: { signal: 'nodefs.available' },
    pods: [plain('a')],
    left: [5, 50],
  });
  assert.deepEqual(await evictor.look(), []);
  assert.deepEqual([killed.length, freed()], [0, 1]);
});

test('critical pods stay, and the next in order goes', async () => {
  const { evictor, killed } = scene({
    rule: { signal: 'memory.available' },
    pods: [plain('critical', { priority: 2_000_000_000 }), plain('ordinary')],
    left: [5],
    usages: { critical: { memoryBytes: 1_000 } },
  });
  await evictor.look();
  assert.deepEqual(
    killed.map(([uid]) => uid),
    ['ordinary'],
  );
});

test('for a soft threshold a pod has its own grace, up to the longest that the configuration gives', async () => {
  const { evictor, killed, clock } = scene({
    rule: { signal: 'memory.available', graceMs: 60_000 },
    pods: [plain('a', { terminationGracePeriodSeconds: 20 })],
    left: [5],
    maxGraceSeconds: 15,
  });
  assert.deepEqual(await evictor.look(), []);
  clock.advance(60_000);
  await evictor.look();
  assert.equal(killed[0]?.[1].graceSeconds, 15);
});

test('a pod over its limit on disk goes alone, is no disruption, and ends the round', async () => {
  const volumes = [{ name: 'v', emptyDir: { sizeLimit: '1Mi' } }];
  const { evictor, killed, events } = scene({
    rule: { signal: 'memory.available' },
    pods: [plain('a', { volumes }), plain('b')],
    left: [5],
    usages: { a: { volumes: new Map([['v', { bytes: 2 ** 21, inodes: 1 }]]) } },
  });
  await evictor.look();
  assert.deepEqual(
    killed.map(([uid, { verdict }]) => [uid, verdict?.isDisruption]),
    [['a', false]],
  );
  assert.deepEqual(
    events.map(({ reason }) => reason),
    ['Evicted'],
  );
});

test('the next round begins when the evicted pod is gone, or after half a minute', async () => {
  const { evictor, killed, clock } = scene({
    rule: { signal: 'memory.available' },
    pods: [plain('a')],
    left: [5],
  });
  evictor.start();
  await clock.advanceAsync(29_000);
  assert.equal(killed.length, 1);
  await clock.advanceAsync(1_500);
  assert.equal(killed.length, 2);
  evictor.close();
  await clock.advanceAsync(1_000);
  assert.equal(clock.pendingTimers, 0);
});

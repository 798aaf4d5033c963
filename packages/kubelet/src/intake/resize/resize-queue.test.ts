import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FakeClock } from '@wherry/clock';
import { MetricsRegistry } from '@wherry/telemetry';
import { container, memoryRecords, pod } from '../../../test/builders.ts';
import { Allocations } from '../../board/allocations.ts';
import { PodStore } from '../../board/pod-store.ts';
import { ResizeStates } from '../../board/resize-states.ts';
import { resizeRetry } from '../../limits.ts';
import { allocationOf } from '../../pod/allocation.ts';
import type { AssignedPod } from '../../pod/assigned-pod.ts';
import { resizeFigures } from './resize-figures.ts';
import { ResizeQueue, type ResizeQueueOptions } from './resize-queue.ts';

function sized(name: string, cpu: string, more: { generation?: number; priority?: number } = {}) {
  const { generation = 1, priority = 0 } = more;
  const resources = { requests: { cpu } };
  return pod({ priority, containers: [container('a', { resources })] }, { name, uid: name, generation });
}

/** A node with a number of processors to give; pods are taken by `admit` and ask for more by `ask`. */
function nodeWith(room: { cpus: number }, objectionTo: ResizeQueueOptions['objectionTo'] = () => undefined) {
  const store = new PodStore();
  const allocations = new Allocations(memoryRecords());
  const states = new ResizeStates();
  const clock = new FakeClock();
  const events: string[] = [];
  const woken: string[] = [];
  const isReady = { value: true };
  const metrics = new MetricsRegistry();
  const accepted = metrics.counter('accepted', '');
  const infeasible = metrics.counter('infeasible', '');
  const cpusOf = (of: AssignedPod) => Number(of.spec.containers[0]?.resources?.requests?.['cpu']);
  const queue = new ResizeQueue({
    ...{ store, allocations, states, clock, accepted, infeasible, objectionTo },
    onAsked: resizeFigures(metrics),
    recorder: {
      record: ({ object, reason, message }) => void events.push(`${object.name} ${reason} ${message}`),
    },
    isReady: () => isReady.value,
    wake: (uid) => void woken.push(uid),
    refusalOf(of) {
      const others = [...store.pods].filter(({ metadata }) => metadata.uid !== of.metadata.uid);
      const used = others.reduce((sum, other) => sum + cpusOf(allocations.given(other)), 0);
      if (used + cpusOf(of) <= room.cpus) return undefined;
      return { phase: 'Failed', reason: 'OutOfcpu', message: `Pod was rejected: ${used} used` };
    },
  });
  const admit = (of: AssignedPod) => {
    store.put(of);
    allocations.set(of.metadata.uid, allocationOf(of));
    queue.added(of);
  };
  const ask = (of: AssignedPod) => {
    const previous = store.get(of.metadata.uid);
    store.put(of);
    queue.updated(of, previous);
  };
  const given = (name: string) => cpusOf(allocations.given(store.get(name)!));
  return {
    queue,
    store,
    states,
    allocations,
    clock,
    events,
    woken,
    isReady,
    accepted,
    infeasible,
    admit,
    ask,
    given,
  };
}

test('what has room is granted at once, and said', () => {
  const { admit, ask, given, states, events, woken } = nodeWith({ cpus: 4 });
  admit(sized('p', '1'));
  ask(sized('p', '3', { generation: 2 }));
  assert.equal(given('p'), 3);
  assert.deepEqual(states.conditionsOf('p'), [
    { type: 'PodResizeInProgress', status: 'True', observedGeneration: 2 },
  ]);
  const told = '{"containers":[{"name":"a","resources":{"requests":{"cpu":"3"}}}],"generation":2}';
  assert.deepEqual(events, [`p ResizeStarted Pod resize started: ${told}`]);
  assert.deepEqual(woken, ['p']);
});

test('what has no room waits, is told of once, and is granted when a pod goes', () => {
  const { admit, ask, given, states, events, queue, store, accepted } = nodeWith({ cpus: 4 });
  admit(sized('p', '1'));
  const other = sized('other', '2');
  admit(other);
  ask(sized('p', '3', { generation: 2 }));
  queue.retry('pod_resized');
  assert.equal(given('p'), 1);
  assert.deepEqual(states.conditionsOf('p'), [
    ...[{ type: 'PodResizePending', status: 'True', reason: 'Deferred', message: '2 used' }].map((told) => ({
      ...told,
      observedGeneration: 2,
    })),
  ]);
  assert.equal(events.filter((text) => text.startsWith('p ResizeDeferred Pod resize Deferred: ')).length, 1);
  store.remove(other);
  queue.retry('pods_removed');
  assert.equal(given('p'), 3);
  assert.equal(accepted.value({ retry_trigger: 'pods_removed' }), 1);
});

test('what can never be is told of once, is not looked at again, and does not count as granted', () => {
  const reason = 'guaranteed_pod_cpu_manager_static_policy';
  let objection: { reason: string; message: string } | undefined = { reason, message: 'never' };
  const { admit, ask, given, states, events, queue, infeasible, accepted } = nodeWith(
    { cpus: 4 },
    () => objection,
  );
  admit(sized('p', '1'));
  ask(sized('p', '3', { generation: 2 }));
  queue.retry('pods_removed');
  assert.equal(given('p'), 1);
  assert.equal(states.refusalOf('p'), 'Infeasible');
  assert.equal(
    events.filter((text) => text.startsWith('p ResizeInfeasible Pod resize Infeasible: ')).length,
    1,
  );
  assert.equal(infeasible.value({ reason_detail: reason }), 1);
  assert.equal(accepted.value({ retry_trigger: 'pods_removed' }), 0);
  objection = undefined;
  ask(sized('p', '2', { generation: 3 }));
  assert.equal(given('p'), 2);
});

test('of those that wait the one of higher priority comes first, and one that shrinks before all', () => {
  const room = { cpus: 4 };
  const { admit, ask, given, queue } = nodeWith(room);
  for (const [name, cpu] of [
    ['low', '1'],
    ['high', '1'],
    ['large', '2'],
  ] as const)
    admit(sized(name, cpu));
  ask(sized('low', '2'));
  ask(sized('high', '2', { priority: 10 }));
  assert.deepEqual([given('low'), given('high')], [1, 1]);
  room.cpus = 5;
  queue.retry('pod_resized');
  assert.deepEqual([given('low'), given('high')], [1, 2]);
  ask(sized('large', '1'));
  assert.deepEqual([given('large'), given('low')], [1, 2]);
});

test('a resize that is taken back is told of no more', () => {
  const { admit, ask, states } = nodeWith({ cpus: 1 });
  admit(sized('p', '1'));
  ask(sized('p', '3', { generation: 2 }));
  assert.equal(states.refusalOf('p'), 'Deferred');
  ask(sized('p', '1', { generation: 3 }));
  assert.deepEqual(states.conditionsOf('p'), []);
});

test('those that wait are looked at again after half a minute, then every three minutes', async () => {
  const room = { cpus: 1 };
  const { admit, ask, given, queue, clock } = nodeWith(room);
  admit(sized('p', '1'));
  ask(sized('p', '2'));
  room.cpus = 2;
  await clock.advanceAsync(resizeRetry.periodMs - 1);
  queue.tick();
  assert.equal(given('p'), 1);
  await clock.advanceAsync(1);
  queue.tick();
  assert.equal(given('p'), 2);
});

test('nothing is granted before every source has spoken, and a restart takes up what was told', () => {
  const { allocations, store, states, isReady, queue, given } = nodeWith({ cpus: 4 });
  isReady.value = false;
  allocations.set('p', allocationOf(sized('p', '1')));
  const conditions = [
    { type: 'PodResizePending', status: 'True', reason: 'Deferred', message: 'no', observedGeneration: 2 },
  ];
  const back = { ...sized('p', '3', { generation: 2 }), status: { conditions } };
  store.put(back);
  queue.added(back);
  assert.equal(given('p'), 1);
  assert.equal(states.refusalOf('p'), 'Deferred');
  isReady.value = true;
  queue.retry('pods_added');
  assert.equal(given('p'), 3);
});

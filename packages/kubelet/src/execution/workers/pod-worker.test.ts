import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FakeClock } from '@wherry/clock';
import { MetricsRegistry, silentLogger } from '@wherry/telemetry';
import { container, pod } from '../../../test/builders.ts';
import { WorkerPhases } from '../../board/worker-phases.ts';
import type { AssignedPod } from '../../pod/assigned-pod.ts';
import type { PodSteps, SyncOutcome } from './pod-worker.ts';
import { PodWorkers } from './pod-workers.ts';

const idle: SyncOutcome = { isTerminal: false, didWork: false, retryAfterMs: 60_000 };

/** Steps that write down what they were asked for, and take as long as the test wants. */
function recordingSteps(outcomes: (SyncOutcome | Error | Promise<SyncOutcome>)[] = []) {
  const calls: string[] = [];
  const steps: PodSteps = {
    async sync(of, signal) {
      calls.push(`sync ${of.metadata.name}`);
      const next = await Promise.race([outcomes.shift() ?? idle, aborted(signal)]);
      if (next instanceof Error) throw next;
      return next;
    },
    async terminate(of, { graceSeconds }, signal) {
      calls.push(`terminate ${of.metadata.name} ${graceSeconds}`);
      const next = outcomes.shift();
      if (next instanceof Promise) await Promise.race([next, aborted(signal)]);
    },
    async clear(of) {
      calls.push(`clear ${of.metadata.name}`);
    },
  };
  return { calls, steps };
}

function aborted(signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });
}

function workersOf(steps: PodSteps) {
  const clock = new FakeClock();
  const finished: string[] = [];
  const events: string[] = [];
  const returned = new MetricsRegistry().counter('returned', '');
  const workers = new PodWorkers({
    steps,
    phases: new WorkerPhases(),
    clock,
    logger: silentLogger,
    recorder: { record: ({ reason, message }) => void events.push(`${reason}: ${message}`) },
    returned,
    onFinished: (of) => finished.push(of.metadata.name),
  });
  return { clock, workers, finished, events, returned };
}

const one = pod({ containers: [container('a')], terminationGracePeriodSeconds: 20 });
const deleted = (graceSeconds: number): AssignedPod => ({
  ...one,
  metadata: {
    ...one.metadata,
    deletionTimestamp: '2026-01-01T00:00:00Z',
    deletionGracePeriodSeconds: graceSeconds,
  },
});
const settle = (clock: FakeClock) => clock.advanceAsync(0);
const forever = () => new Promise<SyncOutcome>(() => {});

test('a pod is looked at again at once after work, and later after none', async () => {
  const { calls, steps } = recordingSteps([{ ...idle, didWork: true }]);
  const { clock, workers } = workersOf(steps);
  workers.update(one);
  await settle(clock);
  assert.equal(calls.length, 2);
  await clock.advanceAsync(59_000);
  assert.equal(calls.length, 2);
  await clock.advanceAsync(1_000);
  assert.equal(calls.length, 3);
});

test('what comes in during a pass is looked at once, afterwards', async () => {
  const pass = Promise.withResolvers<SyncOutcome>();
  const { calls, steps } = recordingSteps([pass.promise]);
  const { clock, workers } = workersOf(steps);
  workers.update(one);
  for (let count = 0; count < 5; count += 1) workers.wake('uid-1');
  await settle(clock);
  assert.equal(calls.length, 1);
  pass.resolve(idle);
  await settle(clock);
  assert.equal(calls.length, 2);
});

test('a failed pass is tried again after its own delay', async () => {
  const { calls, steps } = recordingSteps([Object.assign(new Error('no network'), { retryAfterMs: 1_000 })]);
  const { clock, workers } = workersOf(steps);
  workers.update(one);
  await settle(clock);
  await clock.advanceAsync(999);
  assert.equal(calls.length, 1);
  await clock.advanceAsync(1);
  assert.equal(calls.length, 2);
});

test('a deletion cuts the pass short, stops the pod with its grace and clears it', async () => {
  const { calls, steps } = recordingSteps([forever()]);
  const { clock, workers, finished } = workersOf(steps);
  workers.update(one);
  await settle(clock);
  workers.update(deleted(7));
  await settle(clock);
  assert.deepEqual(calls, ['sync p', 'terminate p 7', 'clear p']);
  assert.deepEqual(finished, ['p']);
  assert.equal(workers.phaseOf('uid-1'), 'finished');
});

test('a shorter grace takes over while a pod is stopping, a longer one does not', async () => {
  const { calls, steps } = recordingSteps([forever(), forever(), forever()]);
  const { clock, workers } = workersOf(steps);
  workers.update(deleted(30));
  await settle(clock);
  workers.update(deleted(60));
  await settle(clock);
  workers.update(deleted(2));
  await settle(clock);
  assert.deepEqual(calls, ['terminate p 30', 'terminate p 2']);
});

test('grace 0 still leaves one second', async () => {
  const { calls, steps } = recordingSteps();
  const { clock, workers } = workersOf(steps);
  workers.update(deleted(0));
  await settle(clock);
  assert.equal(calls[0], 'terminate p 1');
});

test('a pod removed from its source stops with its own grace and is forgotten', async () => {
  const { calls, steps } = recordingSteps();
  const { clock, workers } = workersOf(steps);
  workers.update(one);
  await settle(clock);
  workers.remove('uid-1');
  await settle(clock);
  assert.deepEqual(calls.slice(1), ['terminate p 20', 'clear p']);
  assert.equal(workers.phaseOf('uid-1'), undefined);
});

test('a static pod under the same name waits until the old one has finished', async () => {
  const stop = Promise.withResolvers<SyncOutcome>();
  const { calls, steps } = recordingSteps([idle, stop.promise]);
  const { clock, workers } = workersOf(steps);
  const manifest = (uid: string): AssignedPod => ({
    ...one,
    metadata: { ...one.metadata, uid, annotations: { 'kubernetes.io/config.source': 'file' } },
  });
  workers.update(manifest('uid-1'));
  await settle(clock);
  workers.remove('uid-1');
  workers.update(manifest('uid-2'));
  await settle(clock);
  assert.deepEqual(calls, ['sync p', 'terminate p 20']);
  stop.resolve(idle);
  await settle(clock);
  assert.deepEqual(calls.slice(2), ['clear p', 'sync p']);
});

test('a pod made anew under the name of one that was deleted by force does not wait until that has stopped', async () => {
  const stop = Promise.withResolvers<SyncOutcome>();
  const { calls, steps } = recordingSteps([idle, stop.promise]);
  const { clock, workers } = workersOf(steps);
  workers.update(one);
  await settle(clock);
  workers.remove('uid-1');
  workers.update({ ...one, metadata: { ...one.metadata, uid: 'uid-2' } });
  await settle(clock);
  assert.deepEqual(calls, ['sync p', 'terminate p 20', 'sync p']);
  stop.resolve(idle);
  await settle(clock);
  assert.deepEqual(calls.slice(3), ['clear p']);
});

test('a pod that comes back under the same UID while stopping starts anew afterwards', async () => {
  const stop = Promise.withResolvers<SyncOutcome>();
  const { calls, steps } = recordingSteps([idle, stop.promise]);
  const { clock, workers } = workersOf(steps);
  workers.update(one);
  await settle(clock);
  workers.remove('uid-1');
  workers.update(one);
  stop.resolve(idle);
  await settle(clock);
  assert.deepEqual(calls, ['sync p', 'terminate p 20', 'clear p', 'sync p']);
});

test('a pod that only the runtime knows stops within a second', async () => {
  const { calls, steps } = recordingSteps();
  const { clock, workers } = workersOf(steps);
  workers.killOrphan(one);
  await settle(clock);
  assert.deepEqual(calls, ['terminate p 1', 'clear p']);
  assert.equal(workers.phaseOf('uid-1'), undefined);
});

test('a pod that is to stop does not wait for another of its name to end', async () => {
  const { calls, steps } = recordingSteps([idle]);
  const { clock, workers, finished } = workersOf(steps);
  workers.update(one);
  await settle(clock);
  workers.killOrphan({ ...one, metadata: { ...one.metadata, uid: 'uid-0' } });
  await settle(clock);
  assert.deepEqual(calls, ['sync p', 'terminate p 1', 'clear p']);
  assert.deepEqual(finished, ['p']);
});

test('a pod that has to go and is still there after one and a half of its grace, or 10 s, is told of', async () => {
  const stops = Promise.withResolvers<void>();
  const { clock, workers, events } = workersOf({
    sync: async () => ({ isTerminal: false, didWork: false, retryAfterMs: 600_000 }),
    terminate: () => stops.promise,
    clear: async () => {},
  });
  workers.update(one);
  await settle(clock);
  workers.kill(one.metadata.uid, {});
  await clock.advanceAsync(29_999);
  assert.deepEqual(events, []);
  await clock.advanceAsync(1);
  const message = 'Container runtime did not kill the pod within specified grace period.';
  assert.deepEqual(events, [`ExceededGracePeriod: ${message}`]);
  workers.kill(one.metadata.uid, { graceSeconds: 1 });
  stops.resolve();
  await clock.advanceAsync(60_000);
  assert.equal(events.length, 1, 'one that stopped in time is not told of');
});

test('a pod that comes back under its UID while it stops begins anew once it has, and is counted', async () => {
  const stops = Promise.withResolvers<SyncOutcome>();
  const { calls, steps } = recordingSteps([idle, stops.promise]);
  const { clock, workers, returned } = workersOf(steps);
  const { metadata } = one;
  const fixed = { ...one, metadata: { ...metadata, annotations: { 'kubernetes.io/config.source': 'file' } } };
  workers.update(fixed);
  await settle(clock);
  workers.remove(metadata.uid);
  workers.update(fixed);
  await settle(clock);
  assert.equal(returned.value({ static: 'true' }), 0);
  stops.resolve(idle);
  await settle(clock);
  assert.deepEqual(calls, ['sync p', 'terminate p 20', 'clear p', 'sync p']);
  assert.equal(returned.value({ static: 'true' }), 1);
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FakeClock, sleep } from '@wherry/clock';
import type { Probe } from '@wherry/kubeapi';
import { container, containerStatus, pod } from '../../../test/builders.ts';
import type { ProbeOutcome } from './probe-outcome.ts';
import { type ProbeKind, ProbeWorker } from './probe-worker.ts';

const of = pod({ containers: [container('a')] });

function worker(
  kind: ProbeKind,
  probe: Probe,
  results: (ProbeOutcome['result'] | Error)[],
  isStarted = true,
  tookMs = 0,
) {
  const clock = new FakeClock();
  const verdicts: string[] = [];
  const troubles: string[] = [];
  const running = { ...containerStatus(of, { name: 'a', state: 'running' }) };
  running.startedAt = BigInt(clock.nowMs()) * 1_000_000n;
  let runs = 0;
  const made = new ProbeWorker({
    kind,
    probe,
    clock,
    container: () => running,
    isStarted: () => isStarted,
    run: async () => {
      runs += 1;
      if (tookMs > 0) await sleep({ clock, delayMs: tookMs });
      const next = results.shift() ?? 'success';
      if (next instanceof Error) throw next;
      return { result: next, output: '' };
    },
    onTrouble: (outcome) => troubles.push(outcome instanceof Error ? 'error' : outcome.result),
    onNewContainer: () => verdicts.push('new'),
    onVerdict: (_id, verdict) => verdicts.push(String(verdict)),
  });
  return { clock, made, verdicts, troubles, runs: () => runs };
}

test('a verdict comes when the threshold is reached', async () => {
  const { clock, made, verdicts } = worker('liveness', { periodSeconds: 1, failureThreshold: 3 }, [
    'success',
    'failure',
    'failure',
    'failure',
  ]);
  made.start();
  await clock.advanceAsync(2_999);
  assert.deepEqual(verdicts, ['new', 'success']);
  await clock.advanceAsync(1);
  assert.deepEqual(verdicts, ['new', 'success', 'failure']);
});

test('after a failed liveness probe the worker waits for a new container', async () => {
  const { clock, made, runs } = worker('liveness', { periodSeconds: 1, failureThreshold: 1 }, ['failure']);
  made.start();
  await clock.advanceAsync(10_000);
  assert.equal(runs(), 1);
});

test('nothing is asked before the initial delay, then at once', async () => {
  const { clock, made, runs } = worker('readiness', { initialDelaySeconds: 5, periodSeconds: 30 }, []);
  made.start();
  await clock.advanceAsync(4_999);
  assert.equal(runs(), 0);
  await clock.advanceAsync(1);
  assert.equal(runs(), 1);
});

test('a clock that is set back keeps no probe from asking', async () => {
  const { clock, made, runs } = worker('readiness', { initialDelaySeconds: 5, periodSeconds: 1 }, []);
  made.start();
  await clock.advanceAsync(5_000);
  clock.jumpWallClock(-3_600_000);
  await clock.advanceAsync(3_000);
  assert.equal(runs(), 4);
});

test('liveness and readiness wait for the startup probe, which ends once the container has started', async () => {
  const waiting = worker('readiness', { periodSeconds: 1 }, [], false);
  waiting.made.start();
  await waiting.clock.advanceAsync(3_000);
  assert.equal(waiting.runs(), 0);
  const done = worker('startup', { periodSeconds: 1 }, [], true);
  done.made.start();
  await done.clock.advanceAsync(3_000);
  assert.equal(done.runs(), 0);
});

test('a probe that errors is tried three times, tells of it and moves no counter', async () => {
  const broken = new Error('no such port');
  const { clock, made, verdicts, troubles, runs } = worker(
    'liveness',
    { periodSeconds: 1, failureThreshold: 1 },
    [broken, broken, broken],
  );
  made.start();
  await clock.advanceAsync(0);
  assert.deepEqual([runs(), troubles, verdicts], [3, ['error'], ['new']]);
});

test('a warning counts as success and is told', async () => {
  const { clock, made, verdicts, troubles } = worker('readiness', { periodSeconds: 1 }, ['warning']);
  made.start();
  await clock.advanceAsync(0);
  assert.deepEqual([verdicts, troubles], [['new', 'success'], ['warning']]);
});

test('a stopped worker asks no more', async () => {
  const { clock, made, runs } = worker('readiness', { periodSeconds: 1 }, []);
  made.start();
  await clock.advanceAsync(0);
  made.stop();
  await clock.advanceAsync(5_000);
  assert.equal(runs(), 1);
  assert.equal(clock.pendingTimers, 0);
});

test('the period counts from question to question, however long an answer takes', async () => {
  const slow = worker('readiness', { periodSeconds: 5 }, [], true, 3_000);
  slow.made.start();
  await slow.clock.advanceAsync(14_999);
  assert.equal(slow.runs(), 3);
  const slower = worker('readiness', { periodSeconds: 5 }, [], true, 6_000);
  slower.made.start();
  await slower.clock.advanceAsync(17_999);
  assert.equal(slower.runs(), 3);
});

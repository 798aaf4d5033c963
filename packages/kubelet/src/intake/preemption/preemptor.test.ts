import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FakeClock } from '@wherry/clock';
import { MetricsRegistry, silentLogger } from '@wherry/telemetry';
import { container, pod } from '../../../test/builders.ts';
import type { KillReason } from '../../execution/workers/pod-worker.ts';
import { Preemptor } from './preemptor.ts';

function preemptor() {
  const clock = new FakeClock();
  const killed: [string, KillReason][] = [];
  const begun: string[] = [];
  const metrics = new MetricsRegistry();
  const made = new Preemptor({
    clock,
    logger: silentLogger,
    recorder: { record: () => {} },
    preemptions: metrics.counter('kubelet_preemptions', 'Preempted pods.'),
    kill: (uid, reason) => killed.push([uid, reason]),
    isGone: () => false,
    begin: (uid) => begun.push(uid),
  });
  return { clock, killed, begun, metrics, made };
}

const asking = (uid: string, cpu: string, more: object = {}) =>
  pod({ containers: [container('a', { resources: { requests: { cpu } } })], ...more }, { uid });
const critical = asking('critical', '2', { priority: 2_000_000_000 });
const short = [{ resource: 'cpu', requested: 2_000, used: 2_000, capacity: 2_000 }];

test('a critical pod waits until those that went for it are gone', () => {
  const { killed, begun, made, metrics } = preemptor();
  assert.equal(made.makeRoom(critical, [asking('a', '1'), asking('b', '1')], short), true);
  assert.deepEqual(killed.map(([uid]) => uid).toSorted(), ['a', 'b']);
  const [, { graceSeconds, verdict } = assert.fail()] = killed[0] ?? [];
  assert.equal(graceSeconds, undefined, 'its own grace');
  assert.deepEqual(
    [verdict?.phase, verdict?.reason, verdict?.message, verdict?.isDisruption],
    ['Failed', 'Preempting', 'Preempted in order to admit critical pod', true],
  );
  assert.equal(made.isLeaving('a') && made.isHeld('critical'), true);
  made.finished('a');
  assert.deepEqual(begun, []);
  assert.match(metrics.render(), /kubelet_preemptions\{preemption_signal="cpu"\} 2/);
});

test('it begins when the last is gone, or after one and a half times their grace', () => {
  const { clock, begun, made } = preemptor();
  made.makeRoom(critical, [asking('a', '2', { terminationGracePeriodSeconds: 40 })], short);
  made.finished('a');
  assert.deepEqual(begun, ['critical']);
  assert.equal(made.isHeld('critical'), false);
  made.makeRoom(critical, [asking('a', '2', { terminationGracePeriodSeconds: 40 })], short);
  clock.advance(59_999);
  assert.deepEqual(begun, ['critical']);
  clock.advance(1);
  assert.deepEqual(begun, ['critical', 'critical']);
});

test('nobody is ended where that would not do', () => {
  const { killed, made } = preemptor();
  assert.equal(made.makeRoom(critical, [asking('a', '1')], short), false);
  assert.deepEqual([killed.length, made.isHeld('critical')], [0, false]);
});

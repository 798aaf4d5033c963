import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FakeClock } from '@wherry/clock';
import { container, pod, type RecordedContainer, record } from '../../../test/builders.ts';
import { FailureBackoff } from '../../ground/failure-backoff.ts';
import { holdBack, noteComeback } from './crash-backoff.ts';

const target = { container: container('a'), kind: 'regular' } as const;
const of = pod({ containers: [target.container] });

/** What a kubelet says to starts at given moments, where each run ends two seconds after its number. */
function starter() {
  const clock = new FakeClock({ nowMs: 1 });
  const backoff = new FailureBackoff(clock, { initialMs: 10_000, maxMs: 300_000, resetMs: 600_000 });
  const told: string[] = [];
  const recorder = { record: ({ reason }: { reason: string }) => void told.push(reason) };
  const start = (runs: RecordedContainer[], atMs: number) => {
    clock.advance(atMs - clock.nowMs());
    const found = record(of, runs);
    try {
      holdBack({ backoff, recorder }, { pod: of, record: found, target });
      noteComeback({ backoff }, { pod: of, record: found, target });
      return 'starts';
    } catch (error) {
      return (error as Error).message.replace(/ restarting.*/, '');
    }
  };
  return { start, told };
}

const exited = (restartCount: number) => ({ name: 'a', state: 'exited' as const, exitCode: 1, restartCount });
const killed = (restartCount: number) => ({ name: 'a', state: 'running' as const, restartCount });

test('a container that crashes is started at once, then after growing delays', () => {
  const { start, told } = starter();
  assert.equal(start([exited(0)], 2_000), 'starts');
  assert.equal(start([exited(1)], 4_000), 'back-off 10s');
  assert.equal(start([exited(1)], 13_001), 'starts');
  assert.equal(start([exited(11)], 14_000), 'back-off 20s');
  assert.deepEqual(told, ['BackOff', 'BackOff']);
});

test('a container that its liveness probe has killed again and again is held back too', () => {
  const { start } = starter();
  assert.equal(start([killed(0)], 1_500), 'starts');
  assert.equal(start([killed(1), exited(0)], 3_000), 'starts');
  assert.equal(start([killed(2), exited(1)], 5_000), 'back-off 10s');
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FakeClock } from '@wherry/clock';
import { periods } from '../../limits.ts';
import { EtcdPulse } from './etcd-pulse.ts';

const settled = () => new Promise((resolve) => setImmediate(resolve));

test('a slow answer is in time for who is patient alone, and so is one that is waited for', async () => {
  const clock = new FakeClock();
  let answers: PromiseWithResolvers<void>[] = [];
  const ask = () => {
    const answer = Promise.withResolvers<void>();
    answers.push(answer);
    return answer.promise;
  };
  const pulse = new EtcdPulse({ clock, ask });
  const isInTime = () => [500, 2_000].map((timeoutMs) => pulse.answersWithin(timeoutMs));
  assert.deepEqual(isInTime(), [true, true]);

  clock.advance(periods.etcdPulseMs);
  assert.deepEqual([answers.length, ...isInTime()], [1, true, true]);
  clock.advance(600);
  assert.deepEqual(isInTime(), [false, true]);
  clock.advance(2_000);
  assert.deepEqual(isInTime(), [false, false]);
  answers[0]?.reject(new Error('nobody there'));
  await settled();
  assert.deepEqual(isInTime(), [false, false]);

  clock.advance(periods.etcdPulseMs);
  clock.advance(1_000);
  answers[1]?.resolve();
  await settled();
  assert.deepEqual(isInTime(), [false, true]);

  clock.advance(periods.etcdPulseMs);
  answers[2]?.resolve();
  await settled();
  assert.deepEqual(isInTime(), [true, true]);

  answers = [];
  pulse.close();
  clock.advance(10 * periods.etcdPulseMs);
  assert.equal(answers.length, 0);
});

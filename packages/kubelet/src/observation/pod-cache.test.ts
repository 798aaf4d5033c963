import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { FakeClock } from '@wherry/clock';
import { PodCache } from './pod-cache.ts';
import { emptyPodRecord, type PodRecord } from './pod-record.ts';

const uid = 'u';

/** A cache over a runtime whose answers wait to be let go, one by one; each says which question it answers. */
function slowRuntime() {
  const clock = new FakeClock();
  const answers: PromiseWithResolvers<void>[] = [];
  const inspect = async (of: string): Promise<PodRecord> => {
    const name = String(answers.length);
    const answer = Promise.withResolvers<void>();
    answers.push(answer);
    const record = { ...emptyPodRecord(of, clock), name };
    await answer.promise;
    return record;
  };
  const cache = new PodCache({ inspect, clock, isUnknownToRuntime: () => false });
  return { clock, cache, answer: (question: number) => answers[question]?.resolve() };
}

describe('what is known of a pod never goes backwards', () => {
  for (const apartMs of [5, 0]) {
    test(`who asked ${apartMs} ms earlier and is answered last gets what was seen since`, async () => {
      const { clock, cache, answer } = slowRuntime();
      const slow = cache.get(uid);
      clock.advance(apartMs);
      const quick = cache.get(uid);
      answer(1);
      const newest = await quick;
      answer(0);
      assert.equal(await slow, newest);
      assert.equal(cache.peek(uid), newest);
    });
  }

  test('a change in the millisecond of the newest question lets no older answer in', async () => {
    const { cache, answer } = slowRuntime();
    const beforeTheStart = cache.get(uid);
    cache.touch(uid);
    const afterTheStart = cache.get(uid);
    answer(1);
    const running = await afterTheStart;
    cache.touch(uid);
    assert.equal(cache.peek(uid), running);
    answer(0);
    assert.equal(await beforeTheStart, running);
    assert.equal(cache.peek(uid), running);
  });
});

test('a pod that changed in the millisecond in which it was asked for is asked for anew', async () => {
  const { cache, answer } = slowRuntime();
  const first = cache.get(uid);
  answer(0);
  assert.equal((await first).name, '0');
  assert.equal((await cache.get(uid)).name, '0');
  cache.touch(uid);
  const second = cache.get(uid);
  answer(1);
  assert.equal((await second).name, '1');
});

test('a change that is older than what is known is none', async () => {
  const { clock, cache, answer } = slowRuntime();
  clock.advance(10);
  const first = cache.get(uid);
  answer(0);
  const record = await first;
  assert.equal(cache.touch(uid, record.observedAtMs - 1), false);
  assert.equal(await cache.get(uid), record);
  assert.equal(cache.touch(uid, record.observedAtMs), true);
});

test('an answer that comes after its pod was forgotten is not kept', async () => {
  const { cache, answer } = slowRuntime();
  const asked = cache.get(uid);
  cache.forget(uid);
  answer(0);
  assert.equal((await asked).name, '0');
  assert.equal(cache.peek(uid), undefined);
  assert.deepEqual([...cache.uids], []);
});

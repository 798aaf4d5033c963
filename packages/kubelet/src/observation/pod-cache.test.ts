import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FakeClock } from '@wherry/clock';
import { PodCache } from './pod-cache.ts';
import { emptyPodRecord, type PodRecord } from './pod-record.ts';

test('who asked first and is answered last gets what was seen since', async () => {
  const clock = new FakeClock();
  const answers = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  let asked = 0;
  const inspect = async (uid: string): Promise<PodRecord> => {
    const record = emptyPodRecord(uid, clock);
    await answers[asked++]?.promise;
    return record;
  };
  const cache = new PodCache({ inspect, clock, isUnknownToRuntime: () => false });
  const slow = cache.get('u');
  clock.advance(5);
  const quick = cache.get('u');
  answers[1]?.resolve();
  const newest = await quick;
  answers[0]?.resolve();
  assert.equal(await slow, newest);
  assert.equal(cache.peek('u'), newest);
});

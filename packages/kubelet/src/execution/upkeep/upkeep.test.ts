import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FakeClock } from '@wherry/clock';
import type { IsKept } from './garbage-collector.ts';
import { Upkeep, type UpkeepOptions } from './upkeep.ts';

const nothing = () => {};
const later = async () => {};

/** Which of the pods keep what their containers left, after one turn. */
async function kept(uids: readonly string[], isEvicted: (uid: string) => boolean): Promise<string[]> {
  let left: string[] = [];
  const upkeep = new Upkeep({
    clock: new FakeClock(),
    cache: { uids: [], forget: nothing },
    volumes: { podsOnDisk: async () => [] },
    cgroups: { weighClasses: later, removeStrays: later },
    images: { prune: nothing },
    backoff: { prune: nothing },
    collector: {
      collect: async (isKept: IsKept) => {
        left = uids.filter(isKept);
      },
    },
    csi: { sweep: nothing },
    isLive: () => false,
    isEvicted,
    records: [],
  } as unknown as UpkeepOptions);
  await upkeep.collect((uid) => uid !== 'gone');
  return left;
}

test('a pod that was evicted keeps neither containers nor logs, others do as long as they are there', async () => {
  const left = await kept(['ended', 'evicted', 'gone'], (uid) => uid === 'evicted');
  assert.deepEqual(left, ['ended']);
});

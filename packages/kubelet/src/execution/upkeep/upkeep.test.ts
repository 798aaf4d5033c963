import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FakeClock } from '@wherry/clock';
import { CriError } from '@wherry/cri';
import { MetricsRegistry, silentLogger } from '@wherry/telemetry';
import { laterRemovalPatienceMs, removalPatienceMs } from '../../limits.ts';
import type { IsKept } from './garbage-collector.ts';
import { Upkeep, type UpkeepOptions } from './upkeep.ts';

const nothing = () => {};
const later = async () => {};

/** One without pods, but for the parts that are given. */
const upkeepOf = (parts: object): Upkeep =>
  new Upkeep({
    ...{ clock: new FakeClock(), metrics: new MetricsRegistry(), logger: silentLogger },
    cache: { uids: [], forget: nothing },
    volumes: { podsOnDisk: async () => [] },
    cgroups: { weighClasses: later, removeStrays: later },
    images: { prune: nothing },
    backoff: { prune: nothing },
    collector: { collect: later },
    csi: { sweep: nothing },
    isLive: () => false,
    isEvicted: () => false,
    records: [],
    ...parts,
  } as unknown as UpkeepOptions);

/** Which of the pods keep what their containers left, after one turn. */
async function kept(uids: readonly string[], isEvicted: (uid: string) => boolean): Promise<string[]> {
  let left: string[] = [];
  const upkeep = upkeepOf({
    collector: {
      collect: async (isKept: IsKept) => {
        left = uids.filter(isKept);
      },
    },
    isEvicted,
  });
  await upkeep.collect((uid) => uid !== 'gone');
  return left;
}

test('a pod that was evicted keeps neither containers nor logs, others do as long as they are there', async () => {
  const left = await kept(['ended', 'evicted', 'gone'], (uid) => uid === 'evicted');
  assert.deepEqual(left, ['ended']);
});

test('a runtime that removes no containers is told of as an event of the node, and the rest of the housekeeping goes on', async () => {
  const events: unknown[] = [];
  const upkeep = upkeepOf({
    collector: { collect: () => Promise.reject(new CriError('UNAVAILABLE', 'no runtime')) },
    recorder: { record: (event: unknown) => void events.push(event) },
    nodeName: 'n',
  });
  await upkeep.collect(() => true);
  const object = { apiVersion: 'v1', kind: 'Node', name: 'n', uid: 'n' };
  const message = 'rpc error: code = Unavailable desc = no runtime';
  assert.deepEqual(events, [{ object, type: 'Warning', reason: 'ContainerGCFailed', message }]);
});

test('pods that are gone and whose volumes a turn took away are counted, those that keep theirs apart', async () => {
  const metrics = new MetricsRegistry();
  const clock = new FakeClock();
  const upkeep = upkeepOf({
    ...{ clock, metrics },
    volumes: {
      podsOnDisk: async () => ['kept', 'gone', 'stuck'],
      remove: (uid: string) =>
        uid === 'stuck' ? Promise.reject(new Error('it is busy')) : Promise.resolve(),
    },
  });
  const told = async () => {
    await upkeep.collect((uid) => uid === 'kept');
    return metrics.render().match(/(?<=^kubelet_orphan_pod_cleaned_volumes).*$/gm);
  };
  assert.deepEqual(await told(), [' 2', '_errors 1']);
  assert.deepEqual(await told(), [' 1', '_errors 0'], 'one that failed waits');
});

test('many pods whose volumes a silent driver keeps hold up a turn for little more than one', async () => {
  const clock = new FakeClock();
  const uids = Array.from({ length: 100 }, (_, at) => `pod-${at}`);
  const asked: string[] = [];
  const upkeep = upkeepOf({
    clock,
    volumes: {
      podsOnDisk: async () => uids,
      remove: (uid: string) => {
        asked.push(uid);
        return new Promise(nothing);
      },
    },
  });
  let isOver = false;
  const turn = upkeep
    .collect(() => false)
    .then(() => {
      isOver = true;
    });
  let tookMs = 0;
  for (; !isOver && tookMs < 100_000; tookMs += 50) await clock.advanceAsync(50);
  await turn;
  assert.equal(asked.length, 100);
  assert.ok(tookMs <= removalPatienceMs + 101 * laterRemovalPatienceMs, `${tookMs} ms`);
});

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { podInfo } from './cluster/pod-info.ts';
import { SchedulingQueue } from './scheduling-queue.ts';

function waiting(name: string, priority = 0) {
  const metadata = { name, namespace: 'default', uid: name };
  return podInfo({ metadata, spec: { priority, containers: [] } });
}

const refusedBy = (...names: string[]) => new Set(names);

describe('SchedulingQueue', () => {
  it('gives the highest priority first, and among equals who came first', () => {
    const queue = new SchedulingQueue();
    for (const [name, priority] of [
      ['a', 0],
      ['b', 5],
      ['c', 5],
      ['d', -1],
    ] as const)
      queue.add(waiting(name, priority));
    const order = Array.from({ length: 5 }, () => queue.pop(0)?.uid);
    assert.deepEqual(order, ['b', 'c', 'a', 'd', undefined]);
  });

  it('brings a refused pod back after a change that may help it, later each time', () => {
    const queue = new SchedulingQueue();
    queue.add(waiting('a'));
    const refuse = (nowMs: number) => {
      assert.equal(queue.pop(nowMs)?.uid, 'a');
      queue.park('a', refusedBy('NodeResourcesFit'));
    };
    refuse(1_000);
    assert.equal(queue.wake('namespace', 2_000), false);
    assert.equal(queue.pop(2_000), undefined, 'no namespace makes room');
    assert.equal(queue.wake('pod-gone', 1_010), true);
    assert.equal(queue.nextDueMs, 1_050);
    assert.equal(queue.pop(1_049), undefined);
    refuse(1_050);
    queue.wake('pod-gone', 1_050);
    assert.equal(queue.nextDueMs, 1_150);
    refuse(1_150);
    assert.equal(queue.nextDueMs, 301_150, 'without a change it is looked at again too');
  });

  it('lets a pod wait whose write failed, and forgets one that is gone', () => {
    const queue = new SchedulingQueue();
    queue.retry(waiting('a'), 1_000);
    assert.deepEqual([queue.pop(1_000), queue.nextDueMs], [undefined, 1_050]);
    queue.remove('a');
    assert.deepEqual([queue.pop(9_000), queue.nextDueMs, queue.get('a')], [undefined, undefined, undefined]);
  });

  it('knows whether it looks at a pod for the first time, whatever has changed of it since', () => {
    const queue = new SchedulingQueue();
    const firstLooks = () => ['a', 'b', 'c'].map((uid) => queue.isFirstLook(uid));
    for (const name of ['a', 'b', 'c']) queue.add(waiting(name));
    assert.deepEqual(firstLooks(), [true, true, true]);
    queue.park('a', refusedBy('NodeResourcesFit'));
    queue.await('b', { refusedBy: 'DynamicResources', delayMs: 1_000 });
    for (const name of ['a', 'b', 'c']) queue.add(waiting(name, 7));
    assert.deepEqual(firstLooks(), [false, false, true]);
  });

  it('looks at once at a pod that has changed', () => {
    const queue = new SchedulingQueue();
    queue.add(waiting('a'));
    queue.pop(0);
    queue.park('a', refusedBy());
    queue.add(waiting('a', 7));
    assert.equal(queue.pop(1)?.priority, 7);
  });

  it('begins and ends its back-off where it is told to', () => {
    const queue = new SchedulingQueue({ initialMs: 3_000, maxMs: 5_000 });
    queue.add(waiting('a'));
    const due: (number | undefined)[] = [];
    for (let nowMs = 0; due.length < 3; nowMs = due.at(-1)!) {
      assert.equal(queue.pop(nowMs)?.uid, 'a');
      queue.park('a', refusedBy('NodeResourcesFit'));
      queue.wake('node', nowMs);
      due.push(queue.nextDueMs);
    }
    assert.deepEqual(due, [3_000, 8_000, 13_000]);
  });

  it('says how long a pod has waited for what was begun for it, and forgets it with another reason', () => {
    const queue = new SchedulingQueue();
    const begun = (refusedBy: string, nowMs: number) => {
      queue.add(waiting('a'));
      queue.pop(nowMs);
      return queue.await('a', { refusedBy, delayMs: 1_000 });
    };
    assert.deepEqual([begun('VolumeBinding', 100), begun('VolumeBinding', 700)], [0, 600]);
    assert.equal(begun('DynamicResources', 900), 0);
    queue.retry(waiting('a'), 1_000);
    assert.equal(begun('DynamicResources', 1_500), 0);
  });
});

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { FakeClock } from '@wherry/clock';
import { silentLogger } from '@wherry/telemetry';
import { limits } from '../limits.ts';
import { WorkQueue } from './work-queue.ts';

const turn = () => new Promise((resolve) => setImmediate(resolve));

function queueOf(work: (key: string) => Promise<void>, concurrency?: number) {
  const clock = new FakeClock();
  return {
    clock,
    queue: new WorkQueue({
      name: 'test',
      clock,
      logger: silentLogger,
      work,
      ...(concurrency ? { concurrency } : {}),
    }),
  };
}

describe('WorkQueue', () => {
  it('works on a key once however often it was added before its turn, and once more when added during it', async () => {
    const gates: (() => void)[] = [];
    const { queue } = queueOf(() => new Promise<void>((resolve) => gates.push(resolve)));
    queue.add('a');
    queue.add('a');
    await turn();
    assert.equal(gates.length, 1);
    queue.add('a');
    queue.add('a');
    await turn();
    assert.equal(gates.length, 1);
    gates[0]?.();
    await turn();
    assert.equal(gates.length, 2);
    gates[1]?.();
    await turn();
    assert.equal(gates.length, 2);
    await queue.close();
  });

  it('works on no more keys at once than its concurrency', async () => {
    let active = 0;
    let peak = 0;
    const { queue } = queueOf(async () => {
      active++;
      peak = Math.max(peak, active);
      await turn();
      active--;
    }, 2);
    for (const key of 'abcdefgh') queue.add(key);
    for (let index = 0; index < 20; index++) await turn();
    assert.equal(peak, 2);
    assert.equal(active, 0);
    await queue.close();
  });

  it('tries a key that failed again, later and later', async () => {
    let attempts = 0;
    const { queue, clock } = queueOf(async () => {
      attempts++;
      throw new Error('not yet');
    });
    queue.add('a');
    await turn();
    assert.equal(attempts, 1);
    clock.advance(limits.queueRetryMs.initialMs * 1.2 + 1);
    await turn();
    assert.equal(attempts, 2);
    clock.advance(limits.queueRetryMs.initialMs * 1.2 + 1);
    await turn();
    assert.equal(attempts, 2);
    clock.advance(limits.queueRetryMs.initialMs * 1.2 + 1);
    await turn();
    assert.equal(attempts, 3);
    await queue.close();
  });

  it('works on a key when the first of its delays is over, in whichever order they were asked for', async () => {
    for (const delays of [
      [10, 1_000],
      [1_000, 10],
    ]) {
      let attempts = 0;
      const { queue, clock } = queueOf(async () => {
        attempts++;
      });
      for (const delayMs of delays) queue.addAfter('a', delayMs);
      assert.equal(clock.pendingTimers, 1);
      clock.advance(10);
      await turn();
      assert.equal(attempts, 1);
      clock.advance(1_000);
      await turn();
      assert.equal(attempts, 1);
      await queue.close();
    }
  });

  it('leaves no timer and starts nothing after close', async () => {
    let attempts = 0;
    const { queue, clock } = queueOf(async () => {
      attempts++;
    });
    queue.addAfter('a', 10);
    await queue.close();
    queue.add('b');
    clock.advance(100);
    await turn();
    assert.equal(attempts, 0);
  });

  it('turns keys away when it is full, and asks for all of them once it is empty', async () => {
    const worked: string[] = [];
    const queue: WorkQueue = new WorkQueue({
      ...{ name: 'test', clock: new FakeClock(), logger: silentLogger, concurrency: 1, keysMax: 2 },
      work: async (key) => void worked.push(key),
      refill: () => queue.add('d'),
    });
    for (const key of 'abcd') queue.add(key);
    for (let index = 0; index < 10; index++) await turn();
    assert.deepEqual(worked, ['a', 'b', 'c', 'd']);
    await queue.close();
  });
});

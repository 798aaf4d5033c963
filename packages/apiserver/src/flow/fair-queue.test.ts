import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { FakeClock } from '@wherry/clock';
import { FairQueue, type FairQueueOptions, FlowRefusal } from './fair-queue.ts';

const never = new AbortController().signal;

/** A queue, and `serve`, which asks for a place and notes in `served` when it has one. */
function queueOf({ placesMax = 2, ...options }: Partial<FairQueueOptions> & { placesMax?: number } = {}) {
  const clock = new FakeClock();
  const bounds = {
    placesPerFlowMax: 2,
    waitingMax: 10,
    waitingPerFlowMax: 8,
    waitMaxMs: 1_000,
  };
  const queue: FairQueue = new FairQueue({
    ...{ ...bounds, clock, ...options },
    hasPlace: () => queue.placesTaken < placesMax,
    onPlaceFree: () => queue.startNext(),
  });
  const served: string[] = [];
  const leaves: (() => void)[] = [];
  const refused: string[] = [];
  const serve = (flow: string, label = flow, signal: AbortSignal = never) => {
    queue.enter(flow, signal).then(
      (leave) => {
        served.push(label);
        leaves.push(leave);
      },
      (error) => refused.push(`${label} ${error instanceof FlowRefusal ? error.reason : error}`),
    );
  };
  const settled = () => new Promise<void>((resolve) => setImmediate(resolve));
  /** The one that has been served longest is done. */
  const leaveOne = async () => {
    await settled();
    leaves.shift()!();
    await settled();
  };
  return { clock, queue, served, refused, serve, leaveOne, settled };
}

describe('a fair queue', () => {
  it('lets flows take turns, however many requests one has', async () => {
    const { served, serve, leaveOne } = queueOf();
    for (let at = 0; at < 6; at++) serve('greedy', `greedy ${at}`);
    serve('modest', 'modest 0');
    serve('modest', 'modest 1');
    for (let at = 0; at < 4; at++) await leaveOne();
    assert.deepEqual(served.slice(2, 6), ['modest 0', 'greedy 2', 'modest 1', 'greedy 3']);
  });

  it('keeps places that one flow alone can not take', async () => {
    const { served, serve, settled } = queueOf({ placesMax: 4, placesPerFlowMax: 3 });
    for (let at = 0; at < 9; at++) serve('greedy');
    serve('modest');
    await settled();
    assert.deepEqual(served, ['greedy', 'greedy', 'greedy', 'modest']);
  });

  it('refuses what is too much for a flow, and makes room for another', async () => {
    const { served, refused, serve, leaveOne, settled } = queueOf({ waitingMax: 8 });
    for (let at = 0; at < 12; at++) serve('greedy', `greedy ${at}`);
    serve('modest');
    await settled();
    assert.deepEqual(refused, ['greedy 10 queue-full', 'greedy 11 queue-full', 'greedy 9 queue-full']);
    await leaveOne();
    assert.equal(served.at(-1), 'modest');
  });

  it('ends a wait that is too long, or that nobody waits for', async () => {
    const { clock, queue, refused, serve, settled } = queueOf();
    const gone = new AbortController();
    for (const label of ['a', 'b', 'c', 'd']) serve('flow', label, label === 'c' ? gone.signal : never);
    gone.abort();
    await settled();
    clock.advance(1_000);
    await settled();
    assert.deepEqual(refused, ['c cancelled', 'd time-out']);
    assert.equal(queue.waiting, 0);
    assert.equal(clock.pendingTimers, 0);
  });

  it('has no places taken, and nobody waiting, when all have left', async () => {
    const { queue, served, serve, leaveOne } = queueOf();
    for (let at = 0; at < 8; at++) serve(`flow ${at % 3}`);
    for (let at = 0; at < 8; at++) await leaveOne();
    assert.equal(served.length, 8);
    assert.deepEqual([queue.placesTaken, queue.waiting], [0, 0]);
  });
});

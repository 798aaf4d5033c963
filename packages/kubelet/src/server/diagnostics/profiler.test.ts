import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FakeClock } from '@wherry/clock';
import { Profiler } from './profiler.ts';

const never = new AbortController().signal;
/** Lets what V8 was asked be answered. */
const turn = () => new Promise((resolve) => setImmediate(resolve));

async function recorded(clock: FakeClock, profile: Promise<string>) {
  for (let turns = 0; turns < 10; turns++) await turn();
  clock.advance(5_000);
  return JSON.parse(await profile);
}

test('records where time goes for as long as asked', async () => {
  const clock = new FakeClock();
  const { nodes, samples, startTime } = await recorded(
    clock,
    new Profiler(clock).record('profile', 5_000, never),
  );
  assert.ok(nodes.length > 0 && Array.isArray(samples) && startTime > 0);
});

test('records who takes memory', async () => {
  const clock = new FakeClock();
  const { head } = await recorded(clock, new Profiler(clock).record('heap', 5_000, never));
  assert.equal(head.callFrame.functionName, '(root)');
});

test('records one profile at a time, and another when the client of the first has left', async () => {
  const clock = new FakeClock();
  const profiler = new Profiler(clock);
  const left = new AbortController();
  const first = profiler.record('profile', 5_000, left.signal);
  await assert.rejects(profiler.record('heap', 5_000, never), /a profile is being recorded already/);
  left.abort(new Error('the client left'));
  await assert.rejects(first, /the client left/);
  assert.ok((await recorded(clock, profiler.record('profile', 5_000, never))).nodes);
});

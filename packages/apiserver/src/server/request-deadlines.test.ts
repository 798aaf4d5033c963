import assert from 'node:assert/strict';
import { it } from 'node:test';
import { FakeClock } from '@wherry/clock';
import { RequestDeadlines } from './request-deadlines.ts';

it('ends requests when their time is over, by one timer for all that have the usual one', () => {
  const clock = new FakeClock();
  const deadlines = new RequestDeadlines({ clock, usualMs: 1000 });
  const over: string[] = [];
  const begin = (name: string, askedMs = 0) =>
    deadlines.begin(deadlines.timeFor(askedMs), () => over.push(`${name} at ${clock.monotonicMs()}`));
  const ends = Array.from({ length: 100 }, (_, index) => begin(`done ${index}`));
  assert.equal(clock.pendingTimers, 1);
  for (const end of ends) end();
  clock.advance(300);
  begin('usual');
  begin('patient', 5000);
  const early = begin('early', 10);
  begin('short', 200);
  early();
  assert.equal(clock.pendingTimers, 2);
  clock.advance(1000);
  assert.deepEqual(over, ['short at 500', 'usual at 1300', 'patient at 1300']);
  assert.equal(clock.pendingTimers, 0);
  begin('last');
  deadlines.close();
  clock.advance(5000);
  assert.equal(over.length, 3);
});

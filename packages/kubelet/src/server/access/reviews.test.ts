import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ClientError, StatusError } from '@wherry/client';
import { FakeClock } from '@wherry/clock';
import { reviewTriesMax } from '../../limits.ts';
import { Reviews } from './reviews.ts';

/** Time passes until everything that waits for it is over. */
async function settled<T>(clock: FakeClock, work: Promise<T>): Promise<T> {
  let isOver = false;
  const over = () => {
    isOver = true;
  };
  work.then(over, over);
  while (!isOver) await clock.advanceAsync(500);
  return work;
}

const torn = () => new ClientError('unreachable', 'the connection was torn');

test('a question is asked again while the server is away for a moment, and answers all who wait for it', async () => {
  const clock = new FakeClock();
  const reviews = new Reviews<string>(clock);
  let tries = 0;
  const question = async () => {
    tries += 1;
    if (tries === 1) throw torn();
    if (tries === 2) throw new StatusError({ code: 429, reason: 'TooManyRequests', message: 'later' });
    return 'yes';
  };
  const asked = Array.from({ length: 3 }, () => reviews.ask('one', question));
  assert.deepEqual(await settled(clock, Promise.all(asked)), ['yes', 'yes', 'yes']);
  assert.equal(tries, 3);
  assert.equal(
    await settled(
      clock,
      reviews.ask('one', async () => 'anew'),
    ),
    'anew',
  );
});

test('what stays away is told of after five tries; what is refused, at once', async () => {
  const clock = new FakeClock();
  const reviews = new Reviews<string>(clock);
  let tries = 0;
  const away = reviews.ask('away', async () => {
    tries += 1;
    throw torn();
  });
  await assert.rejects(settled(clock, away), /torn/);
  assert.equal(tries, reviewTriesMax);
  const refused = new StatusError({ code: 403, reason: 'Forbidden', message: 'not you' });
  let asked = 0;
  const question = async () => {
    asked += 1;
    throw refused;
  };
  await assert.rejects(reviews.ask('refused', question), refused);
  assert.equal(asked, 1);
});

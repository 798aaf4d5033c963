import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FakeClock } from '@wherry/clock';
import { halfPairBytesMax, halfPairMs } from '../limits.ts';
import { HalfPair } from './half-pair.ts';

/** One with what it has sent, a text per piece. */
function holding() {
  const sent: string[] = [];
  const clock = new FakeClock();
  const pair = new HalfPair({ send: (bytes) => sent.push(Buffer.from(bytes).toString()), clock });
  const push = (text: string, isHalf: boolean) => {
    pair.push(Buffer.from(text));
    pair.settle(isHalf);
  };
  return { sent, clock, pair, push };
}

test('what the first stream of a pair says leaves with the second', () => {
  const { sent, push } = holding();
  push('error ', true);
  push('its end ', true);
  assert.deepEqual(sent, []);
  push('data', false);
  assert.deepEqual(sent, ['error ', 'its end ', 'data']);
});

test('a stream whose second never comes leaves alone, after two milliseconds', async () => {
  const { sent, clock, push } = holding();
  push('alone', true);
  await clock.advance(halfPairMs - 1);
  assert.deepEqual(sent, []);
  await clock.advance(1);
  assert.deepEqual(sent, ['alone']);
  push('next', false);
  await clock.advance(halfPairMs);
  assert.deepEqual(sent, ['alone', 'next']);
});

test('much data beside a half-open pair does not wait', () => {
  const { sent, push } = holding();
  push('error', true);
  push('x'.repeat(halfPairBytesMax), true);
  assert.equal(sent.join('').length, halfPairBytesMax + 5);
});

test('the end of the client sends what is held', () => {
  const { sent, pair, push } = holding();
  push('last words', true);
  pair.flush();
  assert.deepEqual(sent, ['last words']);
});

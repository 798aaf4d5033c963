import assert from 'node:assert/strict';
import { it } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { FakeClock } from '@wherry/clock';
import { plugInTold } from '../../limits.ts';
import { paced } from './paced.ts';

async function* endless() {
  for (let count = 1; ; count += 1) yield count;
}

it('whoever tells without end is heard so often, less where it takes long, and until nobody listens', async () => {
  const clock = new FakeClock();
  const life = new AbortController();
  let heard = 0;
  let tookMs = 0;
  const listening = (async () => {
    for await (const count of paced(endless(), { clock, signal: life.signal })) {
      heard = count;
      if (tookMs > 0) clock.advance(tookMs);
    }
  })();
  const settle = async () => {
    for (let turns = 0; turns < 100; turns += 1) await turn();
  };
  await settle();
  const { burst, perSecond, timeShare } = plugInTold;
  assert.equal(heard, burst + 1);
  await clock.advanceAsync(1_000);
  await settle();
  assert.ok(heard <= burst + perSecond + 1, `${heard}`);
  const before = heard;
  tookMs = 500;
  for (let ms = 0; ms < 10_000; ms += 100) {
    await clock.advanceAsync(100);
    await settle();
  }
  const share = ((heard - before) * tookMs) / 10_000;
  assert.ok(share > 0 && share < 2 * timeShare, `${share}`);
  life.abort(new Error('enough'));
  await assert.rejects(listening, /enough/);
});

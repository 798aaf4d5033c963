import assert from 'node:assert/strict';
import { it } from 'node:test';
import { FakeClock } from '@wherry/clock';
import { silentLogger } from '@wherry/telemetry';
import { limits } from '../limits.ts';
import { giveBackWhenQuiet, ownProcess } from './quiet-memory.ts';

const quietMs = limits.quietLookMs * limits.quietLooks;

function part() {
  const clock = new FakeClock();
  const state = { busy: 0, mebibytes: 100, collected: 0 };
  const subject = {
    busyShare: () => state.busy,
    residentMebibytes: () => state.mebibytes,
    collect() {
      state.collected++;
      state.mebibytes = 60;
    },
  };
  const { stop } = giveBackWhenQuiet({ clock, subject, logger: silentLogger });
  return { clock, state, stop };
}

it('collects once a part is quiet, and not again before it has grown', () => {
  const { clock, state } = part();
  clock.advance(quietMs - 1);
  assert.equal(state.collected, 0);
  clock.advance(1);
  assert.equal(state.collected, 1);
  clock.advance(10 * quietMs);
  assert.equal(state.collected, 1);
  state.mebibytes += limits.quietGrowthMebibytes;
  clock.advance(quietMs);
  assert.equal(state.collected, 2);
});

it('leaves a busy part alone, and looks anew for its whole time of quiet', () => {
  const { clock, state } = part();
  state.busy = 0.5;
  clock.advance(10 * quietMs);
  assert.equal(state.collected, 0);
  state.busy = 0;
  clock.advance(quietMs - limits.quietLookMs);
  state.busy = 0.5;
  clock.advance(limits.quietLookMs);
  state.busy = 0;
  clock.advance(quietMs - limits.quietLookMs);
  assert.equal(state.collected, 0);
  clock.advance(limits.quietLookMs);
  assert.equal(state.collected, 1);
});

it('leaves no timer behind when it is stopped', () => {
  const { clock, stop } = part();
  clock.advance(quietMs);
  stop();
  assert.equal(clock.pendingTimers, 0);
});

it('gives memory that nobody refers to back to the machine', () => {
  let rubbish: object[] | null = Array.from({ length: 1_000_000 }, (_, index) => ({
    index,
    text: `${index}`,
  }));
  const full = ownProcess.residentMebibytes();
  assert.equal(rubbish.length, 1_000_000);
  rubbish = null;
  ownProcess.collect();
  assert.ok(ownProcess.residentMebibytes() < full - 40, `${ownProcess.residentMebibytes()} of ${full} MiB`);
});

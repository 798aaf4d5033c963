import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FakeClock } from '@wherry/clock';
import { fineClock, nowNs } from './fine-clock.ts';

/** A machine whose wall clock has whole milliseconds. */
class CoarseClock extends FakeClock {
  override nowMs(): number {
    return Math.floor(super.nowMs());
  }
}

test('it has microseconds, and follows the machine’s time, also when that is set', () => {
  const machine = new CoarseClock({ nowMs: 1_000_000 });
  const fine = fineClock(machine);
  assert.equal(fine.nowMs(), 1_000_000);
  machine.advance(0.25);
  assert.equal(fine.nowMs(), 1_000_000.25);
  assert.equal(nowNs(fine), 1_000_000_250_000n);
  machine.jumpWallClock(3_600_000);
  assert.equal(fine.nowMs(), 4_600_000);
  machine.jumpWallClock(-3_600_000);
  machine.advance(0.5);
  assert.ok(Math.abs(fine.nowMs() - 1_000_000.75) < 1);
});

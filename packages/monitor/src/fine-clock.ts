import type { Clock } from '@wherry/clock';

/** How far the fine time may be from the machine's before it is set again: the machine's own has whole milliseconds. */
const toleranceMs = 2;

/** The same clock, whose `nowMs` has microseconds behind the point; follows the machine's time when that is set. */
export function fineClock(clock: Clock): Clock {
  let offsetMs = Number.NEGATIVE_INFINITY;
  return {
    nowMs() {
      const fineMs = offsetMs + clock.monotonicMs();
      const machineMs = clock.nowMs();
      if (Math.abs(fineMs - machineMs) <= toleranceMs) return fineMs;
      offsetMs = machineMs - clock.monotonicMs();
      return machineMs;
    },
    monotonicMs: () => clock.monotonicMs(),
    after: (delayMs, callback) => clock.after(delayMs, callback),
  };
}

/** Now, in nanoseconds since the epoch: whole microseconds. */
export function nowNs(clock: Clock): bigint {
  return BigInt(Math.round(clock.nowMs() * 1000)) * 1000n;
}

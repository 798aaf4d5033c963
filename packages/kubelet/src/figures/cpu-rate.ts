import type { Clock } from '@wherry/clock';

/** Rates over less than this say more about the moment than about the load. */
const rateMsMin = 500;

/** How fast a processor's time rises, from one reading to the next. */
export class CpuRate {
  readonly #clock: Clock;
  #before: { atMs: number; cpuNs: number; rate: number | undefined } | undefined;

  /** With a first reading, there is a rate from the beginning: none was taken yet. */
  constructor(clock: Clock, firstNs?: number) {
    this.#clock = clock;
    if (firstNs !== undefined) this.#before = { atMs: clock.monotonicMs(), cpuNs: firstNs, rate: 0 };
  }

  /** Nanoseconds per second since the reading before; undefined at the first. What follows it at once is told the same. */
  read(cpuNs: number): number | undefined {
    const atMs = this.#clock.monotonicMs();
    const before = this.#before;
    if (before && atMs - before.atMs < rateMsMin) return before.rate;
    const rate = before && Math.max(0, Math.round(((cpuNs - before.cpuNs) / (atMs - before.atMs)) * 1_000));
    this.#before = { atMs, cpuNs, rate };
    return rate;
  }
}

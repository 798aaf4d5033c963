import type { Clock } from '@wherry/clock';
import type { PhaseSeries } from './admission-figures.ts';

/** Times the plug-ins of one phase of one request, of which each begins where the one before it ended. */
export class PhaseTimes {
  readonly #clock: Clock;
  readonly #all: PhaseSeries;
  readonly #startedMs: number;
  #sinceMs: number;
  #current: PhaseSeries | undefined;

  constructor(all: PhaseSeries, clock: Clock) {
    this.#clock = clock;
    this.#all = all;
    this.#startedMs = clock.monotonicMs();
    this.#sinceMs = this.#startedMs;
  }

  /** A plug-in is asked. */
  begin(plugin: PhaseSeries): void {
    this.#current = plugin;
  }

  /** It has nothing against the request. */
  passed(): void {
    const nowMs = this.#clock.monotonicMs();
    this.#current?.passed(nowMs - this.#sinceMs);
    this.#sinceMs = nowMs;
  }

  /** None has. */
  allPassed(): void {
    this.#all.passed(this.#sinceMs - this.#startedMs);
  }

  /** The plug-in that is asked has refused, and with it all. */
  rejected(): void {
    const nowMs = this.#clock.monotonicMs();
    this.#current?.rejected(nowMs - this.#sinceMs);
    this.#all.rejected(nowMs - this.#startedMs);
  }
}

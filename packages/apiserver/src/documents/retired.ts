import type { Clock, Timer } from '@wherry/clock';
import { periods } from '../limits.ts';

/** What a changed configuration has replaced: requests that are under way may end before it is closed. */
export class Retired {
  readonly #clock: Clock;
  readonly #waiting = new Map<{ close(): void }, Timer>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  add(replaced: { close(): void }): void {
    const timer = this.#clock.after(periods.configurationStartMs, () => {
      this.#waiting.delete(replaced);
      replaced.close();
    });
    this.#waiting.set(replaced, timer);
  }

  /** Closes what waits. */
  close(): void {
    for (const [replaced, timer] of this.#waiting) {
      timer.cancel();
      replaced.close();
    }
    this.#waiting.clear();
  }
}

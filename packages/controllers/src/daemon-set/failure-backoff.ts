import { type Backoff, backoff } from '@wherry/clock';
import { limits } from '../limits.ts';

interface Failures {
  backoff: Backoff;
  lastMs: number;
  untilMs: number;
}

/** A failure counts as the first one again when the last one is so long past, as upstream has it. */
const forgottenMs = 2 * limits.daemonBackoffMs.maxMs;

/** When failed pods may be replaced, by what they failed at: later after each further failure. */
export class FailureBackoff {
  /** Those that failed last stand last. */
  readonly #failures = new Map<string, Failures>();

  /** Keys that are remembered. */
  get size(): number {
    return this.#failures.size;
  }

  /** How long a failed pod must stay, in milliseconds; 0 = it is replaced now, and the next one waits longer. */
  waitMs(key: string, nowMs: number): number {
    for (const [each, { lastMs }] of this.#failures) {
      if (nowMs - lastMs <= forgottenMs) break;
      this.#failures.delete(each);
    }
    const known = this.#failures.get(key);
    if (known && nowMs < known.untilMs) return known.untilMs - nowMs;
    const growing = known?.backoff ?? backoff(limits.daemonBackoffMs);
    this.#failures.delete(key);
    this.#failures.set(key, { backoff: growing, lastMs: nowMs, untilMs: nowMs + growing.nextDelayMs() });
    return 0;
  }
}

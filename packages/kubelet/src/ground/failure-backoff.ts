import type { Clock } from '@wherry/clock';

/** Numbers of a {@link FailureBackoff}, all in milliseconds. */
export interface FailureBackoffOptions {
  initialMs: number;
  maxMs: number;
  /** An entry untouched for this long starts afresh. */
  resetMs: number;
}

interface Entry {
  delayMs: number;
  updatedMs: number;
  /** The same on the monotonic clock. */
  triedMs: number;
}

/**
 * Growing delays per key between the moment something failed and the next try. Keeps wall-clock times, as the
 * failures it counts from (a container's end) are stamped by another process; a failure of the future, which is what one
 * becomes when the clock is set back, counts from the try before it (upstream waits until the clock is there again).
 */
export class FailureBackoff {
  readonly #clock: Clock;
  readonly #options: FailureBackoffOptions;
  readonly #entries = new Map<string, Entry>();

  constructor(clock: Clock, options: FailureBackoffOptions) {
    this.#clock = clock;
    this.#options = options;
  }

  /** Milliseconds still to wait after a failure at `failedMs`; 0 when the next try may start. */
  remainingMs(key: string, failedMs: number): number {
    const entry = this.#entries.get(key);
    if (!entry || this.#hasRested(entry, failedMs)) return 0;
    const failedForMs = this.#clock.nowMs() - failedMs;
    const sinceMs = failedForMs < 0 ? this.#clock.monotonicMs() - entry.triedMs : failedForMs;
    return Math.max(0, entry.delayMs - sinceMs);
  }

  /** Notes a try after a failure at `failedMs`: the next delay is longer. */
  raise(key: string, failedMs: number): void {
    const { initialMs, maxMs } = this.#options;
    const before = this.#entries.get(key);
    const isFresh = !before || this.#hasRested(before, failedMs);
    const delayMs = isFresh ? initialMs : Math.min(maxMs, before.delayMs * 2);
    const triedMs = this.#clock.monotonicMs();
    this.#entries.set(key, { delayMs, updatedMs: this.#clock.nowMs(), triedMs });
  }

  /** The present delay of a key; 0 when it has none. */
  delayMs(key: string): number {
    return this.#entries.get(key)?.delayMs ?? 0;
  }

  /** When the key's last try was noted; undefined when it has none. */
  updatedMs(key: string): number | undefined {
    return this.#entries.get(key)?.updatedMs;
  }

  /** Forgets what is under this prefix. */
  forget(prefix: string): void {
    for (const key of this.#entries.keys()) if (key.startsWith(prefix)) this.#entries.delete(key);
  }

  /** Forgets entries that have been at rest for twice the reset time. */
  prune(): void {
    const oldest = this.#clock.nowMs() - 2 * this.#options.resetMs;
    for (const [key, entry] of this.#entries) if (entry.updatedMs < oldest) this.#entries.delete(key);
  }

  /** Whether what failed went well for long. Of a failure of the future nobody knows, and it may be told of again and again. */
  #hasRested({ updatedMs }: Entry, failedMs: number): boolean {
    return failedMs - updatedMs > this.#options.resetMs && failedMs <= this.#clock.nowMs();
  }
}

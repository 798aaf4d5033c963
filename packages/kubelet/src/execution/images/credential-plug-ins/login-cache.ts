import type { Clock } from '@wherry/clock';
import { cachedLoginsMax } from '../../../limits.ts';

/** Keeps values by key for a time; when there are too many, the oldest go. */
export class LoginCache<T> {
  readonly #clock: Clock;
  readonly #entries = new Map<string, { value: T; untilMs: number }>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  get(key: string): T | undefined {
    const entry = this.#entries.get(key);
    if (!entry) return undefined;
    if (this.#clock.monotonicMs() <= entry.untilMs) return entry.value;
    this.#entries.delete(key);
    return undefined;
  }

  set(key: string, value: T, forMs: number): void {
    if (forMs <= 0) return;
    const nowMs = this.#clock.monotonicMs();
    for (const [each, { untilMs }] of this.#entries) if (untilMs < nowMs) this.#entries.delete(each);
    this.#entries.delete(key);
    this.#entries.set(key, { value, untilMs: nowMs + forMs });
    const [oldest] = this.#entries.keys();
    if (this.#entries.size > cachedLoginsMax && oldest !== undefined) this.#entries.delete(oldest);
  }
}

import type { Clock } from '@wherry/clock';

interface Entry<T> {
  value: T;
  untilMs: number;
}

/** Values that count for a while. Bounded: the oldest goes first. */
export class ExpiringCache<T> {
  readonly #clock: Clock;
  readonly #entriesMax: number;
  readonly #entries = new Map<string, Entry<T>>();

  constructor(options: { clock: Clock; entriesMax: number }) {
    this.#clock = options.clock;
    this.#entriesMax = options.entriesMax;
  }

  get(key: string): T | undefined {
    const entry = this.#entries.get(key);
    if (!entry) return undefined;
    if (entry.untilMs > this.#clock.monotonicMs()) return entry.value;
    this.#entries.delete(key);
    return undefined;
  }

  set(key: string, value: T, lifeMs: number): void {
    this.#entries.delete(key);
    this.#entries.set(key, { value, untilMs: this.#clock.monotonicMs() + lifeMs });
    if (this.#entries.size <= this.#entriesMax) return;
    const [oldest] = this.#entries.keys();
    if (oldest !== undefined) this.#entries.delete(oldest);
  }
}

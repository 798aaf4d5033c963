import type { Clock } from '@wherry/clock';
import { cachedLoginsCharactersMax, cachedLoginsMax } from '../../../limits.ts';

interface Entry<T> {
  value: T;
  untilMs: number;
  characters: number;
}

/** Keeps values by key for a time; when there are too many, or they are too large together, the oldest go. */
export class LoginCache<T extends object> {
  readonly #clock: Clock;
  readonly #entries = new Map<string, Entry<T>>();
  #characters = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  get(key: string): T | undefined {
    const entry = this.#entries.get(key);
    if (!entry) return undefined;
    if (this.#clock.monotonicMs() <= entry.untilMs) return entry.value;
    this.#delete(key);
    return undefined;
  }

  set(key: string, value: T, forMs: number): void {
    if (forMs <= 0) return;
    const nowMs = this.#clock.monotonicMs();
    for (const [each, { untilMs }] of this.#entries) if (untilMs < nowMs) this.#delete(each);
    this.#delete(key);
    const characters = key.length + JSON.stringify(value).length;
    this.#entries.set(key, { value, untilMs: nowMs + forMs, characters });
    this.#characters += characters;
    for (const oldest of this.#entries.keys()) {
      if (this.#entries.size <= cachedLoginsMax && this.#characters <= cachedLoginsCharactersMax) return;
      this.#delete(oldest);
    }
  }

  #delete(key: string): void {
    this.#characters -= this.#entries.get(key)?.characters ?? 0;
    this.#entries.delete(key);
  }
}

import { createHash } from 'node:crypto';
import type { Clock } from '@wherry/clock';

/** What is answered, and for how long that may be said again. */
export interface Answer<T> {
  value: T;
  /** 0: to nobody but those who wait for it. */
  lifetimeMs: number;
}

interface Entry<T> {
  value: T;
  untilMs: number;
}

/** Answers to questions that are asked again and again. Who asks while somebody waits for the same answer waits for it, too. */
export class RememberedAnswers<T> {
  readonly #clock: Clock;
  readonly #max: number;
  /** By digests: questions may be secrets. Who was asked for last is last. */
  readonly #entries = new Map<string, Entry<T>>();
  readonly #asked = new Map<string, Promise<T>>();

  constructor(clock: Clock, max: number) {
    this.#clock = clock;
    this.#max = max;
  }

  /** What was answered, where that is still to be said. */
  known(question: string): T | undefined {
    const key = digestOf(question);
    const entry = this.#entries.get(key);
    if (!entry) return undefined;
    this.#entries.delete(key);
    if (this.#clock.monotonicMs() >= entry.untilMs) return undefined;
    this.#entries.set(key, entry);
    return entry.value;
  }

  /** Rejects as `ask` does; that is not remembered. */
  answer(question: string, ask: () => Promise<Answer<T>>): Promise<T> {
    const known = this.known(question);
    if (known !== undefined) return Promise.resolve(known);
    const key = digestOf(question);
    const asked = this.#asked.get(key) ?? this.#ask(key, ask).finally(() => this.#asked.delete(key));
    this.#asked.set(key, asked);
    return asked;
  }

  async #ask(key: string, ask: () => Promise<Answer<T>>): Promise<T> {
    const { value, lifetimeMs } = await ask();
    if (lifetimeMs <= 0) return value;
    this.#entries.set(key, { value, untilMs: this.#clock.monotonicMs() + lifetimeMs });
    const oldest = this.#entries.keys().next().value;
    if (oldest !== undefined && this.#entries.size > this.#max) this.#entries.delete(oldest);
    return value;
  }
}

function digestOf(question: string): string {
  return createHash('sha256').update(question).digest('base64');
}

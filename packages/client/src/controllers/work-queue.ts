import { type Backoff, backoff, type Clock, systemClock, type Timer } from '@wherry/clock';
import { hasReason } from '@wherry/kubeapi/objects';
import type { Logger } from '@wherry/telemetry';
import { limits } from '../limits.ts';

/** What hears of a queue's keys, to count and time them. */
export interface QueueObserver {
  /** A key waits for its turn that did not wait yet. */
  added(key: string): void;
  /** Its turn has begun. */
  began(key: string): void;
  /** Its turn is over. */
  ended(key: string): void;
  /** It failed, and is tried again. */
  retried(): void;
  /** What waited is dropped. */
  closed(): void;
}

/** What a queue does with its keys. */
export interface WorkQueueOptions {
  /** Of what is worked on, for the log. */
  name: string;
  /** `console` will do. */
  logger: Pick<Logger, 'debug' | 'warn'>;
  /**
   * Brings the thing called `key` to where it should be. A rejection is logged, that of a conflict as `debug`, and tried again
   * with back-off. The signal fires when the queue is closed.
   */
  work(key: string, signal: AbortSignal): Promise<void>;
  /** Keys worked on at once. Default `limits.queueConcurrency`. */
  concurrency?: number | undefined;
  /** Called when the queue is empty after keys were turned away since it was full: adds all keys anew. */
  refill?(): void;
  /** Keys that wait, at once or for their time. Default `limits.queueKeysMax`. */
  keysMax?: number | undefined;
  observer?: QueueObserver | undefined;
  clock?: Clock | undefined;
}

/**
 * Keys to work on: a key added many times before its turn is worked on once, one added during its turn once more
 * afterwards, and the same key never twice at a time, as client-go's workqueue. A full queue turns new keys away and asks for all of them when it
 * has worked on those that it has.
 */
export class WorkQueue {
  readonly #options: WorkQueueOptions;
  readonly #waiting = new Set<string>();
  readonly #active = new Map<string, Promise<void>>();
  readonly #timers = new Map<string, { timer: Timer; dueMs: number }>();
  readonly #retries = new Map<string, Backoff>();
  readonly #abort = new AbortController();
  #hasTurnedAway = false;

  constructor(options: WorkQueueOptions) {
    this.#options = options;
  }

  /** Has `key` worked on as soon as there is a turn. */
  add(key: string): void {
    if (this.#abort.signal.aborted || !this.#hasRoom(key)) return;
    this.#timers.get(key)?.timer.cancel();
    this.#timers.delete(key);
    if (!this.#waiting.has(key)) this.#options.observer?.added(key);
    this.#waiting.add(key);
    this.#startNext();
  }

  /** Adds `key` after a delay; of several for the same key the one that is due first counts, so that none comes too late. */
  addAfter(key: string, delayMs: number): void {
    if (this.#abort.signal.aborted || !this.#hasRoom(key)) return;
    const { clock = systemClock } = this.#options;
    const dueMs = clock.monotonicMs() + delayMs;
    const earlier = this.#timers.get(key);
    if (earlier && earlier.dueMs <= dueMs) return;
    earlier?.timer.cancel();
    this.#timers.set(key, { timer: clock.after(delayMs, () => this.add(key)), dueMs });
  }

  /** Drops what waits, cancels what runs and resolves when it has ended. */
  async close(): Promise<void> {
    this.#abort.abort(new Error(`queue ${this.#options.name} closed`));
    for (const { timer } of this.#timers.values()) timer.cancel();
    this.#timers.clear();
    this.#waiting.clear();
    this.#options.observer?.closed();
    await Promise.all(this.#active.values());
  }

  #hasRoom(key: string): boolean {
    const { keysMax = limits.queueKeysMax } = this.#options;
    if (this.#waiting.has(key) || this.#timers.has(key)) return true;
    if (this.#waiting.size + this.#timers.size < keysMax) return true;
    this.#hasTurnedAway = true;
    return false;
  }

  #refillWhenEmpty(): void {
    if (!this.#hasTurnedAway || this.#waiting.size > 0 || this.#abort.signal.aborted) return;
    this.#hasTurnedAway = false;
    this.#options.refill?.();
  }

  #startNext(): void {
    const { concurrency = limits.queueConcurrency } = this.#options;
    for (const key of this.#waiting) {
      if (this.#active.size >= concurrency) return;
      if (this.#active.has(key)) continue;
      this.#waiting.delete(key);
      this.#active.set(key, this.#run(key));
    }
  }

  async #run(key: string): Promise<void> {
    const { name, logger, work, observer } = this.#options;
    observer?.began(key);
    // The turn begins after the caller's: a burst of adds is one turn.
    await Promise.resolve();
    try {
      await work(key, this.#abort.signal);
      this.#retries.delete(key);
    } catch (error) {
      if (!this.#abort.signal.aborted) {
        // Somebody else wrote in between: the next look is at newer objects.
        const level = hasReason(error, 'Conflict') ? 'debug' : 'warn';
        logger[level](`${name} failed, will try again`, { key, error });
        observer?.retried();
        this.addAfter(key, this.#retryOf(key).nextDelayMs());
      }
    }
    observer?.ended(key);
    this.#active.delete(key);
    this.#refillWhenEmpty();
    this.#startNext();
  }

  #retryOf(key: string): Backoff {
    let retry = this.#retries.get(key);
    if (!retry) {
      retry = backoff(limits.queueRetryMs);
      this.#retries.set(key, retry);
    }
    return retry;
  }
}

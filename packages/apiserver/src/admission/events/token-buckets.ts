import type { Clock } from '@wherry/clock';

/** How fast a bucket fills, how much it holds, and how many there are. */
export interface BucketOptions {
  perSecond: number;
  burst: number;
  bucketsMax: number;
}

interface Bucket {
  tokens: number;
  atMs: number;
}

/** A bucket of tokens for each key, full at first. Who took longest ago is forgotten, and has a full one again. */
export class TokenBuckets {
  readonly #options: BucketOptions;
  readonly #clock: Clock;
  readonly #buckets = new Map<string, Bucket>();

  constructor(options: BucketOptions, clock: Clock) {
    this.#options = options;
    this.#clock = clock;
  }

  /** Takes a token of the key's bucket; false when it has none. */
  take(key: string): boolean {
    const { perSecond, burst, bucketsMax } = this.#options;
    const nowMs = this.#clock.monotonicMs();
    const { tokens, atMs } = this.#buckets.get(key) ?? { tokens: burst, atMs: nowMs };
    const now = Math.min(burst, tokens + ((nowMs - atMs) / 1000) * perSecond);
    const isThere = now >= 1;
    this.#buckets.delete(key);
    this.#buckets.set(key, { tokens: isThere ? now - 1 : now, atMs: nowMs });
    const oldest = this.#buckets.keys().next().value;
    if (oldest !== undefined && this.#buckets.size > bucketsMax) this.#buckets.delete(oldest);
    return isThere;
  }
}

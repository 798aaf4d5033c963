import { type Clock, RateBucket } from '@wherry/clock';

/** How fast a bucket fills (above 0), how much it holds, and how many there are. */
export interface BucketOptions {
  perSecond: number;
  burst: number;
  bucketsMax: number;
}

/** A bucket of tokens for each key, full at first. Who took longest ago is forgotten, and has a full one again. */
export class TokenBuckets {
  readonly #options: BucketOptions;
  readonly #clock: Clock;
  readonly #buckets = new Map<string, RateBucket>();

  constructor(options: BucketOptions, clock: Clock) {
    this.#options = options;
    this.#clock = clock;
  }

  /** Takes a token of the key's bucket; false when it has none. */
  take(key: string): boolean {
    const { perSecond, burst, bucketsMax } = this.#options;
    const bucket = this.#buckets.get(key) ?? new RateBucket({ clock: this.#clock, perSecond, burst });
    this.#buckets.delete(key);
    this.#buckets.set(key, bucket);
    const oldest = this.#buckets.keys().next().value;
    if (oldest !== undefined && this.#buckets.size > bucketsMax) this.#buckets.delete(oldest);
    return bucket.take().waitMs === 0;
  }
}

/** Options of {@link backoff}. */
export interface BackoffOptions {
  /** First delay before jitter. */
  initialMs: number;
  /** Largest delay before jitter. */
  maxMs: number;
  /** Growth from one delay to the next. Default 2. */
  factor?: number | undefined;
  /** Share by which a delay may be lengthened at random, 0 to 1. Default 0.2. */
  jitter?: number | undefined;
  /** Random numbers in [0, 1). Default `Math.random`. */
  random?: (() => number) | undefined;
}

/** Growing delays between tries of one thing. */
export interface Backoff {
  /** The delay before the next try; each call grows it up to the maximum. */
  nextDelayMs(): number;
  /** Starts over, after a success. */
  reset(): void;
  /** How many delays were given since the start or the last reset. */
  readonly attempts: number;
}

/** Exponential back-off with jitter; keeps no time itself. Throws `RangeError` on options that can't work. */
export function backoff(options: BackoffOptions): Backoff {
  const { initialMs, maxMs, factor = 2, jitter = 0.2, random = Math.random } = options;
  if (!(initialMs > 0) || !(maxMs >= initialMs)) {
    throw new RangeError(`backoff: needs 0 < initialMs <= maxMs, not ${initialMs} and ${maxMs}`);
  }
  if (!(factor >= 1) || !(jitter >= 0 && jitter <= 1)) {
    throw new RangeError(`backoff: needs factor >= 1 and 0 <= jitter <= 1, not ${factor} and ${jitter}`);
  }
  let attempts = 0;
  let baseMs = initialMs;
  return {
    nextDelayMs() {
      attempts++;
      const delayMs = baseMs * (1 + jitter * random());
      baseMs = Math.min(maxMs, baseMs * factor);
      return delayMs;
    },
    reset() {
      attempts = 0;
      baseMs = initialMs;
    },
    get attempts() {
      return attempts;
    },
  };
}

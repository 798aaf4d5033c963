/** A callback that waits for its time. */
export interface Tick {
  /** Takes it back. Harmless after it was called. */
  cancel(): void;
}

/** Time as a session is given it: a `Clock` of `@wherry/clock`, or anything that counts and calls like one. */
export interface Ticks {
  /** Milliseconds that never run backwards. */
  monotonicMs(): number;
  /** Calls `callback` once after `delayMs`. */
  after(delayMs: number, callback: () => void): Tick;
}

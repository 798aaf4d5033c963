import { longestTimeoutMs } from './longest-timeout.ts';

/** A pending timer. */
export interface Timer {
  /** Takes the timer back. Harmless after it fired. */
  cancel(): void;
}

/** Time as an input, so that tests can step it. */
export interface Clock {
  /** Wall-clock milliseconds since the epoch; may jump. Only for what people and other machines read. */
  nowMs(): number;
  /** Milliseconds that never run backwards; for durations and deadlines. */
  monotonicMs(): number;
  /** Calls `callback` once after `delayMs`, however long; never after an infinite time. The timer does not keep the process alive. */
  after(delayMs: number, callback: () => void): Timer;
}

/** The machine's own clock. */
export const systemClock: Clock = {
  nowMs: () => Date.now(),
  monotonicMs: () => performance.now(),
  after(delayMs, callback) {
    let handle: ReturnType<typeof setTimeout>;
    const wait = (leftMs: number) => {
      const isLong = leftMs > longestTimeoutMs;
      handle = isLong
        ? setTimeout(() => wait(leftMs - longestTimeoutMs), longestTimeoutMs)
        : setTimeout(callback, leftMs);
      // Browsers give a number, and end with their page.
      if (typeof handle === 'object') handle.unref();
    };
    wait(delayMs);
    return { cancel: () => clearTimeout(handle) };
  },
};

import type { Clock } from './clock.ts';

/** Options of {@link sleep}. */
export interface SleepOptions {
  clock: Clock;
  delayMs: number;
  /** Ends the wait early: the promise rejects with `signal.reason`. */
  signal?: AbortSignal | undefined;
}

/** Waits `delayMs` on the given clock. Leaves neither a timer nor a listener behind. */
export function sleep({ clock, delayMs, signal }: SleepOptions): Promise<void> {
  if (signal?.aborted) return Promise.reject(signal.reason);
  return new Promise<void>((resolve, reject) => {
    const abandon = () => {
      timer.cancel();
      reject(signal?.reason);
    };
    const timer = clock.after(delayMs, () => {
      signal?.removeEventListener('abort', abandon);
      resolve();
    });
    signal?.addEventListener('abort', abandon, { once: true });
  });
}

import type { Clock } from '@wherry/clock';

/** Resolves after `delayMs` of `clock`; rejects with `signal.reason` when aborted first. */
export function sleep(clock: Clock, delayMs: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason);
    const timer = clock.after(delayMs, () => {
      signal?.removeEventListener('abort', abort);
      resolve();
    });
    const abort = () => {
      timer.cancel();
      reject(signal?.reason);
    };
    signal?.addEventListener('abort', abort, { once: true });
  });
}

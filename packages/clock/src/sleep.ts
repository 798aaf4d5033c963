import type { Clock } from './clock.ts';
import { keepAlive } from './keep-alive.ts';

/** Options of {@link sleep}. */
export interface SleepOptions {
  clock: Clock;
  delayMs: number;
  /** Ends the wait early: the promise rejects with `signal.reason`. */
  signal?: AbortSignal | undefined;
  /** True keeps the process alive meanwhile: for a pause in what the program is there for. Default false. */
  keepsAlive?: boolean | undefined;
}

/** Waits `delayMs` on the given clock. Leaves neither a timer nor a listener behind. */
export function sleep({ clock, delayMs, signal, keepsAlive }: SleepOptions): Promise<void> {
  if (signal?.aborted) return Promise.reject(signal.reason);
  return new Promise<void>((resolve, reject) => {
    const alive = keepsAlive ? keepAlive() : undefined;
    const abandon = () => {
      timer.cancel();
      alive?.[Symbol.dispose]();
      reject(signal?.reason);
    };
    const timer = clock.after(delayMs, () => {
      alive?.[Symbol.dispose]();
      signal?.removeEventListener('abort', abandon);
      resolve();
    });
    signal?.addEventListener('abort', abandon, { once: true });
  });
}

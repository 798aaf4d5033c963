import { type BackoffOptions, backoff } from './backoff.ts';
import type { Clock } from './clock.ts';
import { sleep } from './sleep.ts';

/** How something is tried again. */
export interface TryAgainOptions {
  clock: Clock;
  /** How often it is tried in all. */
  triesMax: number;
  /** What is waited in between. */
  delays: BackoffOptions;
  /** Whether another try may come out better. */
  mayPass(error: unknown): boolean;
  /** Ends the waits; what is tried ends by itself. */
  signal?: AbortSignal | undefined;
}

/** What `work` resolves with at the first try that does. Rejects with its last error, or with the signal's reason. */
export async function tryAgain<T>(work: () => Promise<T>, options: TryAgainOptions): Promise<T> {
  const { clock, triesMax, mayPass, signal } = options;
  const delays = backoff(options.delays);
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (delays.attempts >= triesMax - 1 || !mayPass(error)) throw error;
    }
    await sleep({ clock, delayMs: delays.nextDelayMs(), signal });
  }
}

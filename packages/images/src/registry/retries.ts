import { backoff, type Clock, sleep } from '@wherry/clock';
import { limits } from '../limits.ts';
import { type RegistryFailure, RegistryUnavailableError } from './registry-unavailable.ts';

/** How a registry is asked again. */
export interface RetryOptions {
  clock: Clock;
  signal: AbortSignal;
  /** The failures that may pass. */
  after: readonly RegistryFailure[];
}

/**
 * Asks a registry up to `registryAttemptsMax` times: again at once after an answer that was torn off, else as late as the
 * registry wants it (`Retry-After`), or after pauses that grow. One that wants more patience than `retryAfterMsMax` is not
 * asked again. Rejects with the last failure, or the signal's reason.
 */
export async function withRetries<Result>(
  ask: () => Promise<Result>,
  { clock, signal, after }: RetryOptions,
): Promise<Result> {
  const pauses = backoff({ initialMs: limits.registryRetryMs, maxMs: limits.retryAfterMsMax });
  for (let attempt = 1; ; attempt++) {
    try {
      return await ask();
    } catch (error) {
      signal.throwIfAborted();
      if (!(error instanceof RegistryUnavailableError) || !after.includes(error.failure)) throw error;
      const { failure, retryAfterMs = failure === 'torn' ? 0 : pauses.nextDelayMs() } = error;
      if (attempt === limits.registryAttemptsMax || retryAfterMs > limits.retryAfterMsMax) throw error;
      await sleep({ clock, delayMs: retryAfterMs, signal });
    }
  }
}

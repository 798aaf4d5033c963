import type { IncomingMessage } from 'node:http';
import { ClientError } from './errors.ts';
import { limits } from './limits.ts';

/** Where a request stands. */
export interface RetryState {
  /** Attempts before this one. */
  attempt: number;
  elapsedMs: number;
  /** How long refused connections are tried again. */
  connectRetryMs: number;
}

const refusedPauseMs = 100;

/**
 * How long to wait before the same request is sent again, or undefined when its outcome stands. Repeated are only
 * requests that the server did not act on: a refused connection, and 429 or 503 with a Retry-After.
 */
export function retryDelayMs(outcome: IncomingMessage | Error, state: RetryState): number | undefined {
  if (outcome instanceof Error) {
    const wasRefused = outcome instanceof ClientError && errnoOf(outcome.cause) === 'ECONNREFUSED';
    return wasRefused && state.elapsedMs < state.connectRetryMs ? refusedPauseMs : undefined;
  }
  if (outcome.statusCode !== 429 && outcome.statusCode !== 503) return undefined;
  const retryAfter = Number.parseInt(outcome.headers['retry-after'] ?? '', 10);
  if (Number.isNaN(retryAfter) || state.attempt >= limits.retryAfterAttemptsMax) return undefined;
  return Math.min(Math.max(retryAfter, 0) * 1000, limits.retryAfterMsMax);
}

function errnoOf(cause: unknown): string | undefined {
  return cause instanceof Error ? (cause as NodeJS.ErrnoException).code : undefined;
}

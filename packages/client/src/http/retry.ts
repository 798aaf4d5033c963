import { ClientError } from '../errors.ts';
import { limits } from '../limits.ts';
import type { HttpAnswer } from './door.ts';

/** Where a request stands. */
export interface RetryState {
  method: string;
  /** Attempts before this one. */
  attempt: number;
  elapsedMs: number;
  /** How long refused connections are tried again. */
  connectRetryMs: number;
}

const refusedPauseMs = 100;
const tornPauseMs = 1_000;
/** From there on a Retry-After counts, besides 429. */
const serverErrorMin = 500;

/**
 * How long to wait before the same request is sent again, or undefined when its outcome stands. Repeated are requests
 * that the server did not act on: a refused connection, 429 and any 5xx with a Retry-After in seconds; and a GET whose
 * connection was torn before the answer. As client-go does (rest/with_retry.go), up to `limits.retriesMax` times.
 */
export function retryDelayMs(outcome: HttpAnswer | Error, state: RetryState): number | undefined {
  if (outcome instanceof Error) return retryAfterErrorMs(outcome, state);
  if (state.attempt >= limits.retriesMax) return undefined;
  if (outcome.status !== 429 && outcome.status < serverErrorMin) return undefined;
  const retryAfter = outcome.header('retry-after') ?? '';
  if (!/^\d+$/.test(retryAfter)) return undefined;
  return Math.min(Number(retryAfter) * 1000, limits.retryAfterMsMax);
}

function retryAfterErrorMs(error: Error, state: RetryState): number | undefined {
  const errno = error instanceof ClientError ? errnoOf(error.cause) : undefined;
  if (errno === 'ECONNREFUSED') return state.elapsedMs < state.connectRetryMs ? refusedPauseMs : undefined;
  const mayRepeat = state.method === 'GET' && state.attempt < limits.retriesMax;
  return errno === 'ECONNRESET' && mayRepeat ? tornPauseMs : undefined;
}

function errnoOf(cause: unknown): unknown {
  return cause instanceof Error && 'code' in cause ? cause.code : undefined;
}

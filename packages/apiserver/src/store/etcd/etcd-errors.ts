import { status } from '@grpc/grpc-js';
import { StoreError } from '../errors.ts';

interface GrpcFailure {
  code: number;
  details: string;
}

/** A call's failure as the store tells it. */
export function storeErrorOf(error: unknown, what: string): StoreError {
  if (error instanceof StoreError) return error;
  const { code, details } = failureOf(error);
  const text = `etcd, ${what}: ${details}`;
  if (code === status.OUT_OF_RANGE)
    return new StoreError(details.includes('future') ? 'future' : 'compacted', text, { cause: error });
  if (code === status.RESOURCE_EXHAUSTED && details.includes('space exceeded'))
    return new StoreError('full', text, { cause: error });
  if (isTooLarge(code, details)) return new StoreError('oversized', text, { cause: error });
  return new StoreError('unavailable', text, { cause: error });
}

/** By etcd's bound of a request (`--max-request-bytes`, 1.5 MiB where nobody says so), or by ours of a message. */
function isTooLarge(code: number, details: string): boolean {
  if (code === status.INVALID_ARGUMENT) return details === 'etcdserver: request is too large';
  return code === status.RESOURCE_EXHAUSTED && details.includes('message larger than max');
}

/** True where another try, at another member or later, may be answered. */
export function isUnavailable(error: unknown): boolean {
  return failureOf(error).code === status.UNAVAILABLE;
}

/** True where etcd has never heard of the call. */
export function wasNotSent(error: unknown): boolean {
  const { code, details } = failureOf(error);
  return code === status.UNAVAILABLE && details.startsWith('No connection established');
}

/** True where a lease is gone that was thought to live. */
export function isLeaseGone(error: unknown): boolean {
  const { code, details } = failureOf(error);
  return code === status.NOT_FOUND && details.includes('lease not found');
}

function failureOf(error: unknown): GrpcFailure {
  const { code, details } = (error ?? {}) as Partial<GrpcFailure>;
  if (typeof code === 'number' && typeof details === 'string') return { code, details };
  return { code: status.UNKNOWN, details: error instanceof Error ? error.message : String(error) };
}

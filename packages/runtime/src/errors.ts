import { CriError, type CriErrorCode } from '@wherry/cri';

/** What can go wrong in the runtime, as callers may tell apart. */
export type RuntimeErrorCode =
  | 'notFound'
  | 'invalid'
  | 'alreadyExists'
  | 'wrongState'
  | 'unsupported'
  | 'unavailable'
  | 'deadline'
  | 'cancelled'
  | 'failed';

/** A failure of the runtime: `code` tells the kind, the message names the thing and the bad value. */
export class RuntimeError extends Error {
  readonly code: RuntimeErrorCode;

  constructor(code: RuntimeErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'RuntimeError';
    this.code = code;
  }
}

/** Which gRPC status each failure has; callers of CRI look at NotFound, DeadlineExceeded, Unimplemented and Unknown. */
const statusOf: Record<RuntimeErrorCode, CriErrorCode> = {
  notFound: 'NOT_FOUND',
  invalid: 'INVALID_ARGUMENT',
  alreadyExists: 'ALREADY_EXISTS',
  wrongState: 'FAILED_PRECONDITION',
  unsupported: 'UNIMPLEMENTED',
  unavailable: 'UNAVAILABLE',
  deadline: 'DEADLINE_EXCEEDED',
  cancelled: 'CANCELLED',
  failed: 'UNKNOWN',
};

/** The failure as the gRPC status that CRI callers expect. */
export function toCriError(error: unknown): CriError {
  if (error instanceof RuntimeError) {
    return new CriError(statusOf[error.code], error.message, { cause: error });
  }
  return CriError.from(error);
}

/** Whether a file system call failed with the given errno name, for example `ENOENT`. */
export function hasErrno(error: unknown, ...names: string[]): boolean {
  const code = (error as { code?: unknown } | null)?.code;
  return typeof code === 'string' && names.includes(code);
}

/** The text of whatever was thrown. */
export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

import { CriError, type CriErrorCode } from '@wherry/cri';

/** What can go wrong in the runtime, by gRPC's names: callers of CRI see the same code. */
export type RuntimeErrorCode = Extract<
  CriErrorCode,
  | 'NOT_FOUND'
  | 'INVALID_ARGUMENT'
  | 'ALREADY_EXISTS'
  | 'FAILED_PRECONDITION'
  | 'RESOURCE_EXHAUSTED'
  | 'UNIMPLEMENTED'
  | 'UNAVAILABLE'
  | 'DEADLINE_EXCEEDED'
  | 'CANCELLED'
  | 'INTERNAL'
  | 'UNKNOWN'
>;

/** A failure of the runtime: `code` tells the kind, the message names the thing and the bad value. */
export class RuntimeError extends CriError {
  declare readonly code: RuntimeErrorCode;

  constructor(code: RuntimeErrorCode, message: string, options?: ErrorOptions) {
    super(code, message, options);
    this.name = 'RuntimeError';
  }
}

/** Whether a file system call failed with the given errno name, for example `ENOENT`. */
export function hasErrno(error: unknown, ...names: string[]): boolean {
  const code = (error as { code?: unknown } | null)?.code;
  return typeof code === 'string' && names.includes(code);
}

/** The text of whatever was thrown. */
export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

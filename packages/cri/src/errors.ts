import { status } from '@grpc/grpc-js';

/** The gRPC status names, as CRI callers and servers exchange them. */
export type CriErrorCode = keyof typeof status;

/** A CRI call failed: `code` is the gRPC status name, the message is the status text. */
export class CriError extends Error {
  readonly code: CriErrorCode;

  constructor(code: CriErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'CriError';
    this.code = code;
  }

  /** The failure as a CRI error: gRPC errors keep their status, everything else becomes UNKNOWN with its message. */
  static from(error: unknown): CriError {
    if (error instanceof CriError) return error;
    const { code, details } = error as { code?: unknown; details?: unknown };
    if (typeof code === 'number' && typeof details === 'string') {
      return new CriError((status[code] ?? 'UNKNOWN') as CriErrorCode, details, { cause: error });
    }
    return new CriError('UNKNOWN', error instanceof Error ? error.message : String(error), { cause: error });
  }
}

/** Whether `error` is a {@link CriError} of the given code. */
export function isCriError(error: unknown, code: CriErrorCode): boolean {
  return error instanceof CriError && error.code === code;
}

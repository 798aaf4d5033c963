import type { CriErrorCode } from '@wherry/cri';

/**
 * Why the monitor refused or failed a call: gRPC's names, which the runtime passes on as they are. `UNAVAILABLE` means
 * that no monitor answered: it may or may not have acted. `UNKNOWN` is the OCI runtime's failure, in its own words.
 */
export type MonitorErrorCode = (typeof monitorErrorCodes)[number];

const monitorErrorCodes = [
  'INVALID_ARGUMENT',
  'NOT_FOUND',
  'ALREADY_EXISTS',
  'FAILED_PRECONDITION',
  'RESOURCE_EXHAUSTED',
  'DEADLINE_EXCEEDED',
  'CANCELLED',
  'UNKNOWN',
  'UNAVAILABLE',
  'INTERNAL',
] as const satisfies readonly CriErrorCode[];

const codes: ReadonlySet<string> = new Set(monitorErrorCodes);

/** The one error of this wire, the same class on both ends. */
export class MonitorError extends Error {
  override readonly name = 'MonitorError';
  readonly code: MonitorErrorCode;

  constructor(code: MonitorErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }

  /** Keeps a MonitorError as it is and wraps anything else as `INTERNAL`. */
  static from(error: unknown): MonitorError {
    if (error instanceof MonitorError) return error;
    const message = error instanceof Error ? error.message : String(error);
    return new MonitorError('INTERNAL', message, { cause: error });
  }

  /** Reads an error off the wire; an unknown code becomes `INTERNAL`. */
  static decode(wire: { code: string; message: string }): MonitorError {
    const code = codes.has(wire.code) ? (wire.code as MonitorErrorCode) : 'INTERNAL';
    return new MonitorError(code, wire.message);
  }
}

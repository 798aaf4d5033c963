import { CodedError } from '@wherry/bytes';
import type { CriErrorCode } from '@wherry/cri';

/** The names of gRPC's codes; written out, since a monitor loads no gRPC. */
const names: Readonly<Record<CriErrorCode, true>> = {
  CANCELLED: true,
  UNKNOWN: true,
  INVALID_ARGUMENT: true,
  DEADLINE_EXCEEDED: true,
  NOT_FOUND: true,
  ALREADY_EXISTS: true,
  PERMISSION_DENIED: true,
  RESOURCE_EXHAUSTED: true,
  FAILED_PRECONDITION: true,
  ABORTED: true,
  OUT_OF_RANGE: true,
  UNIMPLEMENTED: true,
  INTERNAL: true,
  UNAVAILABLE: true,
  DATA_LOSS: true,
  UNAUTHENTICATED: true,
};

/**
 * The one error of this wire, the same class on both ends; the runtime's callers see its code and message as they are.
 * `UNAVAILABLE` means that no monitor answered: it may or may not have acted. `UNKNOWN` is the OCI runtime's failure, in
 * its own words.
 */
export class MonitorError extends CodedError<CriErrorCode> {
  /** Keeps a MonitorError as it is and wraps anything else as `INTERNAL`. */
  static from(error: unknown): MonitorError {
    if (error instanceof MonitorError) return error;
    const message = error instanceof Error ? error.message : String(error);
    return new MonitorError('INTERNAL', message, { cause: error });
  }

  /** Reads an error off the wire; an unknown code becomes `INTERNAL`. */
  static decode(wire: { code: string; message: string }): MonitorError {
    return new MonitorError(isCode(wire.code) ? wire.code : 'INTERNAL', wire.message);
  }
}

const isCode = (code: string): code is CriErrorCode => Object.hasOwn(names, code);

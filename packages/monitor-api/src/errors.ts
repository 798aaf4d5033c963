/** Why the monitor refused or failed a call. `unavailable` means that no monitor answered: it may or may not have acted. */
export type MonitorErrorCode =
  | 'invalid_argument'
  | 'not_found'
  | 'already_exists'
  | 'failed_precondition'
  | 'resource_exhausted'
  | 'deadline_exceeded'
  | 'cancelled'
  | 'oci_runtime'
  | 'unavailable'
  | 'internal';

const codes: ReadonlySet<string> = new Set<MonitorErrorCode>([
  'invalid_argument',
  'not_found',
  'already_exists',
  'failed_precondition',
  'resource_exhausted',
  'deadline_exceeded',
  'cancelled',
  'oci_runtime',
  'unavailable',
  'internal',
]);

/** The one error of this wire, the same class on both ends. */
export class MonitorError extends Error {
  override readonly name = 'MonitorError';
  readonly code: MonitorErrorCode;

  constructor(code: MonitorErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }

  /** Keeps a MonitorError as it is and wraps anything else as `internal`. */
  static from(error: unknown): MonitorError {
    if (error instanceof MonitorError) return error;
    const message = error instanceof Error ? error.message : String(error);
    return new MonitorError('internal', message, { cause: error });
  }

  /** Reads an error off the wire; an unknown code becomes `internal`. */
  static decode(wire: { code: string; message: string }): MonitorError {
    const code = codes.has(wire.code) ? (wire.code as MonitorErrorCode) : 'internal';
    return new MonitorError(code, wire.message);
  }
}

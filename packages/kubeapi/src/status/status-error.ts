/** Failures as the API reports them: a `Status` object with code, reason, message and details. */
import type { Status, StatusCause, StatusDetails } from '../generated/types.ts';

/** Why a request failed, in upstream's closed vocabulary (meta/v1 StatusReason). */
export type StatusReason =
  | 'Unauthorized'
  | 'Forbidden'
  | 'NotFound'
  | 'AlreadyExists'
  | 'Conflict'
  | 'Gone'
  | 'Invalid'
  | 'ServerTimeout'
  | 'StorageReadError'
  | 'Timeout'
  | 'TooManyRequests'
  | 'BadRequest'
  | 'MethodNotAllowed'
  | 'NotAcceptable'
  | 'RequestEntityTooLarge'
  | 'UnsupportedMediaType'
  | 'InternalError'
  | 'Expired'
  | 'ServiceUnavailable'
  /** No reason is given. */
  | 'Unknown';

/** What a StatusError is made from. */
export interface StatusErrorOptions {
  code: number;
  reason: StatusReason;
  message: string;
  /** Always sent, if only as an empty object: kubectl dereferences it. */
  details?: StatusDetails;
  cause?: unknown;
}

/** Which resource a failure is about. */
export interface ResourceRef {
  group: string;
  /** Plural; what `details.kind` says, as upstream does. */
  resource: string;
}

/** A failed API request; `status` is the body to answer with, `status.code` its HTTP status. */
export class StatusError extends Error {
  override readonly name = 'StatusError';
  readonly code: number;
  readonly reason: StatusReason;
  readonly status: Status;

  constructor(options: StatusErrorOptions) {
    super(options.message, options.cause === undefined ? undefined : { cause: options.cause });
    this.code = options.code;
    this.reason = options.reason;
    this.status = {
      kind: 'Status',
      apiVersion: 'v1',
      metadata: {},
      status: 'Failure',
      message: options.message,
      ...(options.reason === 'Unknown' ? {} : { reason: options.reason }),
      details: options.details ?? {},
      code: options.code,
    };
  }

  /** What exactly is wrong, field by field where it is about fields. */
  get causes(): readonly StatusCause[] {
    return this.status.details?.causes ?? [];
  }
}

/** True for a StatusError with that reason, of any copy of this package. */
export function hasReason(error: unknown, reason: StatusReason): error is StatusError {
  return (
    error instanceof Error && error.name === 'StatusError' && 'reason' in error && error.reason === reason
  );
}

/**
 * A StatusError from a Status that a server answered with. Whatever that server wrote, code, reason and message are a
 * number and texts: a field of another type counts as absent. Of its metadata only `continue` is kept.
 */
export function fromStatus({ code, reason, message, details, metadata }: Status): StatusError {
  const error = new StatusError({
    code: typeof code === 'number' ? code : 500,
    reason: (typeof reason === 'string' && reason !== '' ? reason : 'Unknown') as StatusReason,
    message: typeof message === 'string' ? message : 'unknown',
    details: typeof details === 'object' && details !== null ? soundDetails(details) : {},
  });
  // How a list that was cut short goes on.
  if (typeof metadata?.continue === 'string') error.status.metadata = { continue: metadata.continue };
  return error;
}

/** Details as they came, but for causes that are none. */
function soundDetails({ causes, ...others }: StatusDetails): StatusDetails {
  const isCause = (value: unknown) => typeof value === 'object' && value !== null;
  return Array.isArray(causes) ? { ...others, causes: causes.filter(isCause) } : others;
}

export type { StatusCause, StatusDetails };

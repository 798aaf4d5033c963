import { CodedError } from '@wherry/bytes';

/** Why a forwarded connection, or a request for one, failed. */
export type PortForwardErrorCode =
  /** The other side could not connect to the port, or lost it; `message` is what it says. */
  | 'remote'
  /** A stream whose headers name no port or no type, or that comes twice. */
  | 'badStream'
  /** The session is gone. */
  | 'sessionClosed';

/** A failure of one forwarded connection. Other connections of its session are not touched. */
export class PortForwardError extends CodedError<PortForwardErrorCode> {}

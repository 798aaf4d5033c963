import { CodedError } from '@wherry/bytes';

/** Why a remote command has no exit code. */
export type RemoteCommandErrorCode =
  /** The other side says that the command could not be run; `message` is what it says. */
  | 'failure'
  /** The session ended without saying how the command ended: output may be missing. */
  | 'missingStatus'
  /** The Status can't be understood. */
  | 'badStatus'
  /** The connection broke. */
  | 'connectionLost'
  /** This side ended the session: `close()` or the signal. */
  | 'aborted';

/** A remote command that ended without an exit code. */
export class RemoteCommandError extends CodedError<RemoteCommandErrorCode> {}

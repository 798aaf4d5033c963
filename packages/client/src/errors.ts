import { CodedError } from '@wherry/bytes';

/** What went wrong outside of the API server's own answers (those are `StatusError`). */
export type ClientErrorCode =
  /** The kubeconfig is missing, malformed or names what it does not hold. */
  | 'bad-config'
  /** A credential plugin or token file gave no credentials; the message says why. */
  | 'no-credentials'
  /** No connection: refused, unreachable, TLS refused, torn before an answer. */
  | 'unreachable'
  /** The answer is not what the protocol promises: too long, not JSON, a broken watch line. */
  | 'bad-answer'
  /** The caller's argument can't be sent. */
  | 'bad-argument'
  /** Neither the schema nor the server knows a kind of that name. */
  | 'unknown-kind'
  /** What was waited for did not come in time; the message says how things stood. */
  | 'timed-out'
  /** The client was closed while something waited or followed. */
  | 'closed';

/** An error of the client itself. Match on `code`; the message is for people. */
export class ClientError extends CodedError<ClientErrorCode> {}

import { CodedError } from '@wherry/bytes';

/** Why an upgrade failed. */
export type UpgradeErrorCode =
  /** The peer answered with something other than the upgrade; {@link UpgradeError.statusCode} and `body` say what. */
  | 'refused'
  /** The peer upgraded to a sub-protocol that was not asked for, or to none where one is needed. */
  | 'protocol'
  /** No connection, a failed TLS handshake, or the connection ended before an answer. */
  | 'unreachable';

/** An upgrade that did not happen. */
export class UpgradeError extends CodedError<UpgradeErrorCode> {
  /** HTTP status of the answer, 0 when there was none. */
  readonly statusCode: number;
  /** The answer's body as text, cut at 64 KiB; empty when there was none. */
  readonly body: string;

  constructor(
    code: UpgradeErrorCode,
    message: string,
    options: { statusCode?: number; body?: string; cause?: unknown } = {},
  ) {
    super(code, message, { cause: options.cause });
    this.statusCode = options.statusCode ?? 0;
    this.body = options.body ?? '';
  }
}

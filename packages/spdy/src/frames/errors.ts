import { CodedError } from '@wherry/bytes';
import type { ResetStatus } from './frame.ts';

/** What went wrong with a session or a stream. */
export type SpdyErrorCode =
  /** The peer broke the framing; the connection can't go on. */
  | 'protocol'
  /** A bound of `SpdyLimits` was exceeded, by the peer or by this side. */
  | 'limit-exceeded'
  /** The peer reset the stream (`status` says how), or refused to open it. */
  | 'reset'
  /** This side reset the stream. */
  | 'cancelled'
  /** The peer said GOAWAY before the stream had ended. */
  | 'going-away'
  /** This side closed the session. */
  | 'session-closed'
  /** The transport ended or broke without a GOAWAY. */
  | 'transport-closed'
  /** No frame was read or written for the idle timeout. */
  | 'idle-timeout'
  /** The peer is gone without a word: it answered no ping for `silenceTimeoutMs`. */
  | 'peer-silent'
  /** The peer did not answer SYN_STREAM in time. */
  | 'reply-timeout'
  /** The call is not possible now: reply or write in the wrong state, no stream ids left. */
  | 'invalid-state'
  /** A header that may not be sent. */
  | 'invalid-header';

/** Options of {@link SpdyError}. */
export interface SpdyErrorOptions extends ErrorOptions {
  /** RST_STREAM status, with code `reset`. */
  status?: ResetStatus | number | undefined;
}

/** Every failure of this package. Tell cases apart by `code`, not by the message. */
export class SpdyError extends CodedError<SpdyErrorCode> {
  /** RST_STREAM status, with code `reset`. */
  readonly status: number | undefined;

  constructor(code: SpdyErrorCode, message: string, options: SpdyErrorOptions = {}) {
    super(code, message, options.cause === undefined ? undefined : { cause: options.cause });
    this.status = options.status;
  }
}

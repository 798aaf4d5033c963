import { CodedError } from './coded-error.ts';

/** Why a channel refused a call, or went away. */
export type ChannelClosedCode =
  /** This side already called `end`. */
  | 'ended'
  /** This side aborted, or the channel went away before the call. */
  | 'closed'
  /** The transport went away before both directions had ended. */
  | 'reset'
  /** `receive` was called twice. */
  | 'already-receiving'
  /** More bytes came than the caller said it would take. */
  | 'too-large';

/** A channel that can't do what was asked, or that is gone. Tell cases apart by `code`. */
export class ChannelClosedError extends CodedError<ChannelClosedCode> {}

import { CodedError } from '@wherry/bytes';

/** Why there is no console. */
export type ConsoleErrorCode =
  /** The port can't be had. */
  | 'listen'
  /** The page is neither built nor can it be. */
  | 'page';

/** A console that could not be started; the message says what to do. */
export class ConsoleError extends CodedError<ConsoleErrorCode> {}

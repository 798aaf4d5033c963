import { CodedError } from '@wherry/bytes';
import type { StoredValue } from './stored-value.ts';

/**
 * Why a store refused: `full` = the disk is full, nothing was written, and a later attempt may succeed; `failed` = the
 * store can't vouch for what it holds any more, and takes nothing until it is opened anew; `unavailable` = who keeps it has
 * not answered, and a write may have happened; `oversized` = it holds no values of that
 * size, nothing was written; `unreadable` = what stands there is not understood here: somebody else has
 * written it, or it is encrypted by a key that is not known.
 */
export type StoreErrorCode =
  | 'conflict'
  | 'compacted'
  | 'future'
  | 'closed'
  | 'full'
  | 'failed'
  | 'unavailable'
  | 'oversized'
  | 'unreadable';

/** Any refusal of a store. */
export class StoreError extends CodedError<StoreErrorCode> {
  /** With `conflict`: the key whose value is not the expected one. */
  readonly key: string;
  /** With `conflict`: what is there now. */
  readonly current: StoredValue | null;

  constructor(
    code: StoreErrorCode,
    message: string,
    options: { key?: string; current?: StoredValue | null; cause?: unknown } = {},
  ) {
    super(code, message, { cause: options.cause });
    this.key = options.key ?? '';
    this.current = options.current ?? null;
  }
}

import type { StoredValue } from './store.ts';

/** Why a store refused. */
export type StoreErrorCode = 'conflict' | 'compacted' | 'future' | 'closed' | 'failed';

/** Any refusal of a store. */
export class StoreError extends Error {
  readonly code: StoreErrorCode;
  /** With `conflict`: what is there now. */
  readonly current: StoredValue | null;

  constructor(
    code: StoreErrorCode,
    message: string,
    options: { current?: StoredValue | null; cause?: unknown } = {},
  ) {
    super(message, { cause: options.cause });
    this.name = 'StoreError';
    this.code = code;
    this.current = options.current ?? null;
  }
}

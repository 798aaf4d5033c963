/** One key as it stood at some revision. */
export interface StoredValue {
  readonly key: string;
  readonly value: string;
  /** Revision of the write that made the key. */
  readonly createRevision: number;
  /** Revision of the write that gave it this value. */
  readonly modRevision: number;
  /** 1 for the first value since the key was made. */
  readonly version: number;
}

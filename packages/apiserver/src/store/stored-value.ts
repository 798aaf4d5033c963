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
  /** It would be written otherwise now (another key, another provider): a change writes it even where it changes nothing. */
  readonly isStale?: true;
}

/** One key of one kind of encryption. */
export interface Cipher {
  /**
   * `place` is what the value stands under; kinds that authenticate it open it nowhere else. Throws a `StoreError` `unavailable`
   * while there is no key to seal by.
   */
  seal(plain: Uint8Array, place: Uint8Array): Buffer;
  /**
   * Undefined for whatever this key has not sealed, by whichever mark it is found out. Throws `KeyNeeded` where a key is asked
   * for first.
   */
  open(sealed: Uint8Array, place: Uint8Array): Buffer | undefined;
  /** Whether what was opened would be sealed by another key now. Default: never. */
  isStale?(sealed: Uint8Array): boolean;
}

/** Keys that somebody else keeps, and may change. */
export interface KeptElsewhere extends Cipher {
  /** Grows with each change. */
  readonly generation: number;
}

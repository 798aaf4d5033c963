/** One key of one kind of encryption. */
export interface Cipher {
  /** `place` is what the value stands under; kinds that authenticate it open it nowhere else. */
  seal(plain: Uint8Array, place: Uint8Array): Buffer;
  /** Undefined for whatever this key has not sealed, by whichever mark it is found out. */
  open(sealed: Uint8Array, place: Uint8Array): Buffer | undefined;
}

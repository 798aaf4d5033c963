/** Why a patch could not be applied. */

/** `malformed`: no patch of that type. `rejected`: well formed, but it does not fit the object; `test-failed`: so it says itself. */
export type PatchErrorCode = 'malformed' | 'rejected' | 'test-failed' | 'too-many-operations';

/** A patch that was not applied; the object is unchanged. */
export class PatchError extends Error {
  override readonly name = 'PatchError';
  readonly code: PatchErrorCode;

  constructor(code: PatchErrorCode, message: string) {
    super(message);
    this.code = code;
  }
}

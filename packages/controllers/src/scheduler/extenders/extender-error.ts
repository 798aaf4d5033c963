/** An extender did not answer, or not to what it was asked. */
export class ExtenderError extends Error {
  override readonly name = 'ExtenderError';
}

/** A message that is none. */
export class WireError extends Error {
  override readonly name = 'WireError';
}

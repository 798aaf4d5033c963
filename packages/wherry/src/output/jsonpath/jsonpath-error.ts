/** What is wrong with a path, or with what it is asked of; the message is client-go's. */
export class JsonPathError extends Error {
  override readonly name = 'JsonPathError';
}

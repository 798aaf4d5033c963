/** Why the streaming server gives no URL, by gRPC's names. */
export type StreamingErrorCode =
  /** The request is wrong in itself. */
  | 'INVALID_ARGUMENT'
  /** Too many tokens wait to be redeemed (HTTP 429 with Retry-After at a kubelet). */
  | 'RESOURCE_EXHAUSTED';

/** The streaming server refused to prepare a session. */
export class StreamingError extends Error {
  readonly code: StreamingErrorCode;

  constructor(code: StreamingErrorCode, message: string) {
    super(message);
    this.name = 'StreamingError';
    this.code = code;
  }
}

/** Why the streaming server gives no URL. */
export type StreamingErrorCode =
  /** The request is wrong in itself (gRPC InvalidArgument). */
  | 'invalidArgument'
  /** Too many tokens wait to be redeemed (gRPC ResourceExhausted; HTTP 429 with Retry-After at a kubelet). */
  | 'resourceExhausted';

/** The streaming server refused to prepare a session. */
export class StreamingError extends Error {
  readonly code: StreamingErrorCode;

  constructor(code: StreamingErrorCode, message: string) {
    super(message);
    this.name = 'StreamingError';
    this.code = code;
  }
}

/** What went wrong. */
export type TestingErrorCode =
  /** A node needs root, with the rights that a container as it comes has not: namespaces, mounts, cgroups. An API server does not. */
  | 'needs-root'
  /** No Node.js that is new enough was found to run API server and node with. */
  | 'needs-newer-node'
  /** What was asked for makes no sense: no such file, no kind, an unknown condition. */
  | 'bad-argument'
  /** The server did not come up, or a call to it failed; the message says which and why. */
  | 'failed'
  /** The process that runs API server and node is gone; the message has the end of its log. */
  | 'host-ended';

/** A failure of the cluster under a test, never of the code that is tested. */
export class TestingError extends Error {
  override readonly name = 'TestingError';
  readonly code: TestingErrorCode;

  constructor(code: TestingErrorCode, message: string, options?: { cause?: unknown }) {
    super(message, options);
    this.code = code;
  }
}

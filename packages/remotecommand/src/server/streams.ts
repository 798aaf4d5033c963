import type { ByteSink, ByteSource } from '@wherry/bytes';
import type { RemoteCommandTransport } from '../session.ts';

/** The server's end of a session, whatever carries it. */
export interface ServerStreams {
  readonly transport: RemoteCommandTransport;
  readonly protocol: string;
  readonly stdin: ByteSource | null;
  readonly stdout: ByteSink | null;
  readonly stderr: ByteSink | null;
  readonly error: ByteSink;
  readonly resize: ByteSource | null;
  /**
   * Ends every stream behind what is queued and waits until the client has read it all and left. Resolves with null
   * then, or with why that did not happen.
   */
  finish(): Promise<Error | null>;
  /** Settles when the connection is gone. */
  readonly closed: Promise<Error | null>;
}

/** What both carriers are opened with. */
export interface ServerTimeouts {
  streamCreationTimeoutMs: number;
  idleTimeoutMs: number;
  lingerTimeoutMs: number;
}

import type { ByteSink, ByteSource } from '@wherry/bytes';
import type { RemoteCommandTransport } from '../session.ts';

/** The client's end of a session, whatever carries it. */
export interface ClientStreams {
  readonly transport: RemoteCommandTransport;
  readonly protocol: string;
  readonly stdin: ByteSink | null;
  readonly stdout: ByteSource | null;
  readonly stderr: ByteSource | null;
  readonly error: ByteSource;
  readonly resize: ByteSink | null;
  /** Whether this is how some servers end what went well: Go's reset the SPDY streams that they have not ended, and leave. */
  endsInOrder(error: Error): boolean;
  /** Leaves in order. */
  close(): void;
  abort(error: Error): void;
  /** Leaves in order while the command still runs: these streams fail with `error` at once, and what still comes is thrown away. */
  hangUp(error: Error): void;
  readonly closed: Promise<Error | null>;
}

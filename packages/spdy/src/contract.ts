import type { ByteChannel, WaitOptions } from '@wherry/bytes';
import type { Clock } from '@wherry/clock';
import type { SpdyLimits } from './limits.ts';
import type { SpdyStream } from './stream.ts';

/** Which end of the connection this is: the client opens streams 1, 3, 5…; the server 2, 4, 6…. */
export type SpdyRole = 'client' | 'server';

/** Options of `createSpdySession`. */
export interface SpdySessionOptions {
  /** Where the frames go and come from. The session becomes its receiver and owns it. */
  transport: ByteChannel;
  role: SpdyRole;
  clock: Clock;
  /** Bounds that differ from `defaultLimits`. */
  limits?: Partial<SpdyLimits> | undefined;
  /**
   * The peer opened a stream: call its `reply()` or `reset()`, now or later, and read it or reset it. Without this
   * every stream is refused; if it throws, the stream is reset with `internalError`.
   */
  onStream?: ((stream: SpdyStream) => void) | undefined;
  /** Sends a ping this often. Default: never, as streaming servers do; upstream clients use 5000. */
  pingIntervalMs?: number | undefined;
  /** Closes the session when no frame was read or written for so long. Default: never. */
  idleTimeoutMs?: number | undefined;
}

/** Options of `SpdySession.createStream`. */
export interface CreateStreamOptions extends WaitOptions {
  /** This side has nothing to send: FIN goes with the SYN_STREAM. Default false. */
  fin?: boolean | undefined;
}

/** A SPDY connection. */
export interface SpdySession extends AsyncDisposable {
  /**
   * Opens a stream and waits for the peer's SYN_REPLY. Names are sent in lower case. Rejects with `SpdyError`: `reset`
   * when the peer refuses, `reply-timeout`, `invalid-header`, or why the session is gone; or with `signal.reason`.
   */
  createStream(headers: Readonly<Record<string, string>>, options?: CreateStreamOptions): Promise<SpdyStream>;
  /** Sends a ping; resolves with the round trip in milliseconds. There is no time-out: give a signal. */
  ping(options?: WaitOptions): Promise<number>;
  /** Resets what is open, says GOAWAY and ends the transport. Queued bytes still leave. Repeats are harmless. */
  close(): void;
  /** Tears the transport down at once; nothing more is said. Open streams close with `error`. */
  abort(error: Error): void;
  /** Settles when the transport is gone: null after `close` or the peer's GOAWAY, otherwise the reason. */
  readonly closed: Promise<Error | null>;
  /** Streams that are open. */
  readonly streamCount: number;
  /** Bytes held for stalled readers, of all streams. */
  readonly heldBytes: number;
}

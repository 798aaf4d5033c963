import type { ByteChannel, WaitOptions } from '@wherry/bytes';
import type { SpdyHeaders } from '../frames/frame.ts';
import type { SpdyLimits } from '../limits.ts';
import type { Ticks } from './ticks.ts';

/** Which end of the connection this is: the client opens streams 1, 3, 5…; the server 2, 4, 6…. */
export type SpdyRole = 'client' | 'server';

/** Options of `createSpdySession`. */
export interface SpdySessionOptions {
  /** Where the frames go and come from. The session becomes its receiver and owns it. */
  transport: ByteChannel;
  role: SpdyRole;
  /** When replies, pings and time-outs are due: the one who opens the session gives it its time. */
  clock: Ticks;
  /** Bounds that differ from `defaultLimits`. */
  limits?: Partial<SpdyLimits> | undefined;
  /** Whether `reply()` sends a SYN_REPLY; false when a relay before the peer has sent it. Default true. */
  sendsReplies?: boolean | undefined;
  /**
   * The peer opened a stream: call its `reply()` or `reset()`, now or later, and read it or reset it. Without this
   * every stream is refused; if it throws, the stream is reset with `internalError`.
   */
  onStream?: ((stream: SpdyStream) => void) | undefined;
  /** Sends a ping this often; a server once its client has pinged it. Default: never; upstream clients use 5000. */
  pingIntervalMs?: number | undefined;
  /**
   * Ends the session (`peer-silent`) when nothing came from the peer for so long, no answer to a ping either, although it
   * has taken what it was sent.
   * Looked at with each ping; a server pings only a client that has pinged it. Default: never.
   */
  silenceTimeoutMs?: number | undefined;
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
  /**
   * Resets what is open, says GOAWAY and ends the transport. Repeats are harmless. What is queued still leaves, but a
   * peer that takes longer than `lingerMs` to read it and to close loses the rest: a side that must deliver ends its
   * streams and waits for {@link closed} by the peer first.
   */
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

/**
 * One stream of a session, as a channel.
 *
 * The accepting side must answer with {@link reply} or {@link reset} before it writes; bytes that the peer sends
 * meanwhile are held. `abort` resets the stream. When the peer resets it, or the session goes away, what had arrived
 * is still delivered, then `closed` tells the `SpdyError`; `end` is only told for a real FIN. `bufferedBytes` is the
 * queue of the transport, which all streams share.
 */
export interface SpdyStream extends ByteChannel {
  readonly id: number;
  /** The SYN_STREAM's headers, by lower-case name. */
  readonly headers: SpdyHeaders;
  /** Status of the RST_STREAM that the peer sent, if it did. */
  readonly receivedReset: number | undefined;
  /**
   * Accepts a stream that the peer opened (SYN_REPLY without headers). `fin` ends this side with it. Throws
   * `SpdyError` (`invalid-state`) on a stream of our own or a second time; does nothing once the stream is gone.
   */
  reply(options?: { fin?: boolean | undefined }): void;
  /**
   * Ends both directions at once and rejects the stream if it has no reply yet; `status` is one of `resetStatus`,
   * default cancel. Held bytes are dropped. After {@link end} no RST_STREAM is sent, as the peer would ignore it
   * (moby/spdystream does the same).
   */
  reset(status?: number): void;
}

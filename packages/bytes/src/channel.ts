/**
 * The stream contract that every wherry protocol speaks.
 *
 * A channel is a two-way byte stream whose producer sees back-pressure, whose two directions end apart
 * (half-close), and which can be torn down with a reason. It does no I/O itself: adapters put one in front of a
 * socket, a pipe, a SPDY stream or a WebSocket. {@link ByteSource} and {@link ByteSink} are its two halves, for
 * ends that go one way only.
 */

/** What a channel tells the one who reads it. Calls come in order: data*, then end at most once, then closed once. */
export interface ByteReceiver {
  /** Bytes from the peer. The receiver may keep the array; the channel does not write to it again. */
  data(chunk: Uint8Array): void;
  /** The peer finished its direction (FIN). This side may still write. Not called when the channel is aborted. */
  end(): void;
  /**
   * The channel is gone in both directions; nothing is called after this. `error` is null when both directions
   * ended in order, otherwise the reason (the peer's reset, a torn transport, a local abort).
   */
  closed(error: Error | null): void;
}

/** Options of every call that waits. */
export interface WaitOptions {
  /** Ends the wait: the promise rejects with `signal.reason`. */
  signal?: AbortSignal | undefined;
}

/** What both halves of a channel share: the way down. */
export interface Closable {
  /**
   * Tears everything down now; queued bytes are dropped. The peer sees a reset, or an end where the transport has no
   * reset (unix sockets, TLS). Repeats are harmless.
   */
  abort(error: Error): void;
  /**
   * Settles (never rejects) when the channel is gone: null, or why. Bytes that already arrived can still be waiting
   * for a paused receiver at that time; the receiver's own `closed` comes behind them.
   */
  readonly closed: Promise<Error | null>;
}

/** The half that bytes come out of. */
export interface ByteSource extends Closable {
  /**
   * Attaches the one reader, once; a second call throws `ChannelClosedError` (`already-receiving`). Bytes that came
   * before are held (the peer is slowed, not the memory grown) and delivered first, never synchronously inside this
   * call.
   */
  receive(receiver: ByteReceiver): void;
  /** Stops `data` calls as soon as possible and slows the peer; nothing is lost. A channel starts unpaused. */
  pause(): void;
  resume(): void;
}

/** The half that bytes go into. */
export interface ByteSink extends Closable {
  /**
   * Queues bytes for the peer, in order. The channel owns `chunk` from here on: do not change it.
   * Returns false when more than the channel's high-water mark is queued; the caller should then await
   * {@link drained} before it writes more. Throws `ChannelClosedError` after {@link end} or once closed.
   * A frame may come as several writes in one tick: channels over message transports gather a tick's writes.
   */
  write(chunk: Uint8Array): boolean;
  /** Resolves when the queue has fallen below the low-water mark; rejects when the channel closes first. */
  drained(options?: WaitOptions): Promise<void>;
  /** Bytes accepted by {@link write} and not yet handed to the transport. */
  readonly bufferedBytes: number;
  /** Half-close: no more bytes from this side. What was queued is still delivered. Repeats are harmless. */
  end(): void;
}

/** A two-way byte stream with visible back-pressure, half-close and abort. */
export interface ByteChannel extends ByteSource, ByteSink {}

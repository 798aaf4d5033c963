/**
 * Bounds of one session. They hold from the first byte on: no peer can make this side allocate by claiming a size.
 *
 * SPDY as Kubernetes speaks it has no flow control (WINDOW_UPDATE is ignored by every peer), so the only brake is
 * TCP, and TCP brakes the whole connection. What happens when one stream's reader stalls:
 *
 * 1. Its bytes are held, up to {@link SpdyLimits.streamReceiveBytesMax}. Pings and siblings go on.
 * 2. Past that, or when all streams together hold {@link SpdyLimits.sessionReceiveBytesMax}, the transport is paused
 *    as the last resort: nothing more is read, pongs included, until the reader has taken half of it or resets its
 *    stream. Nothing is ever dropped. What one read of the transport brought may exceed the bound once.
 */
export interface SpdyLimits {
  /** Bytes that one stream holds for an absent or paused reader before the transport is paused. */
  streamReceiveBytesMax: number;
  /** Bytes that all streams together hold before the transport is paused. */
  sessionReceiveBytesMax: number;
  /** Streams open at once; a peer's further SYN_STREAM is answered RST_STREAM `refused`. */
  streamsMax: number;
  /** Payload of one control frame. Go's default is 2^24-1, which means none. */
  controlPayloadBytesMax: number;
  /** One header block after decompression. */
  headerBlockBytesMax: number;
  /** Name/value pairs in one header block. Go refuses more than 1000. */
  headersMax: number;
  /** One header name or value. Go refuses more than 1 MiB. */
  headerFieldBytesMax: number;
  /** Payload of one DATA frame that we send; longer writes are cut. A Go peer allocates a frame whole. */
  dataPayloadBytesMax: number;
  /** Payloads up to this are copied behind their frame header instead of being written apart. */
  coalesceBytesMax: number;
  /** Answers (pongs, resets) queued by the peer's doing before we stop reading until the transport has drained. */
  answerBytesMax: number;
  /** Our pings that wait for an answer; a further `ping` is refused. */
  pingsMax: number;
  /** Bytes behind the last answered ping from which on a server's silence says nothing: it may not take input now. */
  stalledPeerBytes: number;
  /** How long `createStream` waits for the SYN_REPLY; the Go client waits as long. */
  replyTimeoutMs: number;
  /** How long a closed session waits for the peer to close the transport before it tears it down. */
  lingerMs: number;
}

/** What holds unless the maker of a session says otherwise. */
export const defaultLimits: Readonly<SpdyLimits> = {
  streamReceiveBytesMax: 1024 * 1024,
  sessionReceiveBytesMax: 16 * 1024 * 1024,
  streamsMax: 16_384,
  controlPayloadBytesMax: 64 * 1024,
  headerBlockBytesMax: 128 * 1024,
  headersMax: 256,
  headerFieldBytesMax: 64 * 1024,
  dataPayloadBytesMax: 64 * 1024,
  coalesceBytesMax: 2048,
  answerBytesMax: 64 * 1024,
  pingsMax: 64,
  stalledPeerBytes: 64 * 1024,
  replyTimeoutMs: 30_000,
  lingerMs: 5000,
};

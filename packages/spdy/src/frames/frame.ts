/**
 * The frames of SPDY/3.1 (SPDY protocol draft 3.1, section 2), as far as Kubernetes peers use them. All integers are
 * big endian. The version field of control frames says 3; peers do not check it.
 */

/** Value of the version field in control frames. */
export const spdyVersion = 3;

/** Bytes in front of every frame's payload. */
export const frameHeaderBytes = 8;

/** Largest stream id (31 bits). */
export const streamIdMax = 0x7fff_ffff;

/** Control frame types. Type 5 (NOOP), 10 (CREDENTIAL) and unknown ones are fatal, as in Go's framer. */
export const frameType = {
  synStream: 1,
  synReply: 2,
  rstStream: 3,
  settings: 4,
  ping: 6,
  goAway: 7,
  headers: 8,
  windowUpdate: 9,
} as const;

/** Flag bits. FIN has the same value in control and data frames. */
export const frameFlag = { fin: 0x01, unidirectional: 0x02 } as const;

/** RST_STREAM status codes. */
export const resetStatus = {
  protocolError: 1,
  invalidStream: 2,
  refusedStream: 3,
  unsupportedVersion: 4,
  cancel: 5,
  internalError: 6,
  flowControlError: 7,
  streamInUse: 8,
  streamAlreadyClosed: 9,
  invalidCredentials: 10,
  frameTooLarge: 11,
} as const;

/** One of {@link resetStatus}. */
export type ResetStatus = (typeof resetStatus)[keyof typeof resetStatus];

/** GOAWAY status codes. */
export const goAwayStatus = { ok: 0, protocolError: 1, internalError: 2 } as const;

/** One of {@link goAwayStatus}. */
export type GoAwayStatus = (typeof goAwayStatus)[keyof typeof goAwayStatus];

/** Headers by lower-case name. Where a name came with several values the first one stands, as Go's look-up has it. */
export type SpdyHeaders = ReadonlyMap<string, string>;

/** A SYN_STREAM as it came. */
export interface SynStream {
  streamId: number;
  associatedStreamId: number;
  /** 0 is the highest, 7 the lowest. */
  priority: number;
  fin: boolean;
  unidirectional: boolean;
  headers: SpdyHeaders;
}

/** A SYN_REPLY or HEADERS as it came. */
export interface HeaderFrame {
  streamId: number;
  fin: boolean;
  headers: SpdyHeaders;
}

/** Who takes what the decoder finds. Calls come in the order of the frames, inside `FrameDecoder.push`. */
export interface FrameHandler {
  synStream(frame: SynStream): void;
  synReply(frame: HeaderFrame): void;
  headers(frame: HeaderFrame): void;
  rstStream(streamId: number, status: number): void;
  ping(id: number): void;
  goAway(lastGoodStreamId: number, status: number): void;
  /**
   * A piece of a DATA frame's payload, as it arrived: a view, not a copy. `fin` is true with the last piece (empty
   * for an empty frame) of a frame that carries FIN.
   */
  data(streamId: number, piece: Uint8Array, fin: boolean): void;
}

import { HeaderDeflater } from './compression.ts';
import { frameFlag, frameHeaderBytes, frameType, spdyVersion } from './frame.ts';
import { encodeHeaderBlock, type HeaderLimits } from './header-block.ts';

const controlBit = 0x8000;

function controlFrame(type: number, flags: number, payloadBytes: number): Buffer {
  const frame = Buffer.allocUnsafe(frameHeaderBytes + payloadBytes);
  frame.writeUInt16BE(controlBit | spdyVersion, 0);
  frame.writeUInt16BE(type, 2);
  frame.writeUInt32BE(((flags << 24) | payloadBytes) >>> 0, 4);
  return frame;
}

/** A PING with an id other than 0. */
export function encodePing(id: number): Buffer {
  const frame = controlFrame(frameType.ping, 0, 4);
  frame.writeUInt32BE(id, 8);
  return frame;
}

/** A RST_STREAM; `status` is one of `resetStatus`. */
export function encodeRstStream(streamId: number, status: number): Buffer {
  const frame = controlFrame(frameType.rstStream, 0, 8);
  frame.writeUInt32BE(streamId, 8);
  frame.writeUInt32BE(status, 12);
  return frame;
}

/** A GOAWAY; `status` is one of `goAwayStatus`. */
export function encodeGoAway(lastGoodStreamId: number, status: number): Buffer {
  const frame = controlFrame(frameType.goAway, 0, 8);
  frame.writeUInt32BE(lastGoodStreamId, 8);
  frame.writeUInt32BE(status, 12);
  return frame;
}

/** The eight bytes in front of a DATA payload. */
export function encodeDataHeader(streamId: number, payloadBytes: number, fin: boolean): Buffer {
  const header = Buffer.allocUnsafe(frameHeaderBytes);
  header.writeUInt32BE(streamId, 0);
  header.writeUInt32BE((fin ? frameFlag.fin << 24 : 0) | payloadBytes, 4);
  return header;
}

/** A DATA frame in one piece; copies the payload, so for short ones. */
export function encodeData(streamId: number, payload: Uint8Array, fin: boolean): Buffer {
  const frame = Buffer.allocUnsafe(frameHeaderBytes + payload.length);
  frame.writeUInt32BE(streamId, 0);
  frame.writeUInt32BE((fin ? frameFlag.fin << 24 : 0) | payload.length, 4);
  frame.set(payload, frameHeaderBytes);
  return frame;
}

/** What a SYN_STREAM or SYN_REPLY says. */
export interface HeaderFrameFields {
  streamId: number;
  headers: Readonly<Record<string, string>>;
  /** This side's direction ends with the frame. */
  fin: boolean;
}

/**
 * Encodes the frames that carry headers, and owns the compression context of the direction: frames must be written in
 * the order in which they were encoded.
 */
export class HeaderFrameEncoder {
  readonly #limits: HeaderLimits;
  readonly #deflater = new HeaderDeflater();

  constructor(limits: HeaderLimits) {
    this.#limits = limits;
  }

  /** A SYN_STREAM of highest priority; throws `SpdyError` (`invalid-header`) before anything is compressed. */
  synStream({ streamId, headers, fin }: HeaderFrameFields): Buffer {
    const block = this.#deflater.deflate(encodeHeaderBlock(headers, this.#limits));
    const frame = controlFrame(frameType.synStream, fin ? frameFlag.fin : 0, 10 + block.length);
    frame.writeUInt32BE(streamId, 8);
    frame.writeUInt32BE(0, 12);
    frame.writeUInt16BE(0, 16);
    frame.set(block, 18);
    return frame;
  }

  /** A SYN_REPLY; throws `SpdyError` (`invalid-header`) before anything is compressed. */
  synReply({ streamId, headers, fin }: HeaderFrameFields): Buffer {
    const block = this.#deflater.deflate(encodeHeaderBlock(headers, this.#limits));
    const frame = controlFrame(frameType.synReply, fin ? frameFlag.fin : 0, 4 + block.length);
    frame.writeUInt32BE(streamId, 8);
    frame.set(block, 12);
    return frame;
  }
}

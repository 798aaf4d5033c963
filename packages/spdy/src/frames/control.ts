import type { SpdyLimits } from '../limits.ts';
import { HeaderInflater } from './compression.ts';
import { SpdyError } from './errors.ts';
import { type FrameHandler, frameFlag, frameType, type HeaderFrame, type SpdyHeaders } from './frame.ts';
import { decodeHeaderBlock } from './header-block.ts';

/** Bounds that control frames are held to. */
export type ControlLimits = Pick<
  SpdyLimits,
  'controlPayloadBytesMax' | 'headersMax' | 'headerFieldBytesMax' | 'headerBlockBytesMax'
>;

/** What a control frame's header says. */
export interface ControlHeader {
  type: number;
  flags: number;
  /** Bytes of payload. */
  length: number;
}

/** Shortest payload of each type; for types without a header block or list, the only length. */
const payloadBytesMin = new Map<number, number>([
  [frameType.synStream, 10],
  [frameType.synReply, 4],
  [frameType.headers, 4],
  [frameType.settings, 4],
  [frameType.rstStream, 8],
  [frameType.ping, 4],
  [frameType.goAway, 8],
  [frameType.windowUpdate, 8],
]);

/** Types whose payload may be longer than the minimum. */
const variableTypes = new Set<number>([
  frameType.synStream,
  frameType.synReply,
  frameType.headers,
  frameType.settings,
]);

/** Types that may not carry flags. */
const flaglessTypes = new Set<number>([frameType.ping, frameType.goAway, frameType.windowUpdate]);

/** Reads control frames; owns the decompression context of the direction. */
export class ControlReader {
  readonly #handler: FrameHandler;
  readonly #limits: ControlLimits;
  readonly #inflater: HeaderInflater;

  constructor(handler: FrameHandler, limits: ControlLimits) {
    this.#handler = handler;
    this.#limits = limits;
    this.#inflater = new HeaderInflater(limits.headerBlockBytesMax);
  }

  /** Refuses a frame by its header, before any of its payload is kept. */
  check({ type, flags, length }: ControlHeader): void {
    const lengthMin = payloadBytesMin.get(type);
    if (lengthMin === undefined) throw new SpdyError('protocol', `control frame of unknown type ${type}`);
    if (length > this.#limits.controlPayloadBytesMax) {
      const bound = this.#limits.controlPayloadBytesMax;
      throw new SpdyError(
        'limit-exceeded',
        `control frame of type ${type} says ${length} bytes; at most ${bound}`,
      );
    }
    if (length < lengthMin || (length > lengthMin && !variableTypes.has(type))) {
      throw new SpdyError('protocol', `control frame of type ${type} says ${length} bytes`);
    }
    if (flags !== 0 && flaglessTypes.has(type)) {
      throw new SpdyError('protocol', `control frame of type ${type} has flags ${flags}`);
    }
  }

  /** Hands a checked frame to the handler. */
  read({ type, flags }: ControlHeader, payload: Buffer): void {
    switch (type) {
      case frameType.synStream:
        this.#synStream(flags, payload);
        break;
      case frameType.synReply:
        this.#handler.synReply(this.#headerFrame('SYN_REPLY', flags, payload));
        break;
      case frameType.headers:
        this.#handler.headers(this.#headerFrame('HEADERS', flags, payload));
        break;
      case frameType.rstStream:
        this.#rstStream(payload);
        break;
      case frameType.ping:
        this.#ping(payload);
        break;
      case frameType.goAway:
        this.#handler.goAway(payload.readUInt32BE(0), payload.readUInt32BE(4));
        break;
      case frameType.settings:
        checkSettings(payload);
        break;
      default: // WINDOW_UPDATE: there is no flow control, see limits.ts
        break;
    }
  }

  #synStream(flags: number, payload: Buffer): void {
    const streamId = payload.readUInt32BE(0);
    requireStreamId(streamId, 'SYN_STREAM');
    this.#handler.synStream({
      streamId,
      associatedStreamId: payload.readUInt32BE(4),
      priority: payload.readUInt8(8) >> 5,
      fin: (flags & frameFlag.fin) !== 0,
      unidirectional: (flags & frameFlag.unidirectional) !== 0,
      headers: this.#headers(payload.subarray(10), true),
    });
  }

  #headerFrame(what: string, flags: number, payload: Buffer): HeaderFrame {
    const streamId = payload.readUInt32BE(0);
    requireStreamId(streamId, what);
    return {
      streamId,
      fin: (flags & frameFlag.fin) !== 0,
      headers: this.#headers(payload.subarray(4), false),
    };
  }

  #headers(block: Buffer, isRequest: boolean): SpdyHeaders {
    return decodeHeaderBlock(this.#inflater.inflate(block), this.#limits, isRequest);
  }

  #rstStream(payload: Buffer): void {
    const streamId = payload.readUInt32BE(0);
    const status = payload.readUInt32BE(4);
    requireStreamId(streamId, 'RST_STREAM');
    if (status === 0) throw new SpdyError('protocol', `RST_STREAM of stream ${streamId} has status 0`);
    this.#handler.rstStream(streamId, status);
  }

  #ping(payload: Buffer): void {
    const id = payload.readUInt32BE(0);
    if (id === 0) throw new SpdyError('protocol', 'PING has id 0');
    this.#handler.ping(id);
  }
}

/** Stream 0 does not exist. */
export function requireStreamId(streamId: number, what: string): void {
  if (streamId === 0) throw new SpdyError('protocol', `${what} has stream id 0`);
}

/** The entries are of no use to us, but their count must fit the frame (CVE-2026-35469 was a reader that trusted it). */
function checkSettings(payload: Buffer): void {
  const count = payload.readUInt32BE(0);
  if (count > (payload.length - 4) / 8) {
    throw new SpdyError('protocol', `SETTINGS says ${count} entries in ${payload.length} bytes`);
  }
}

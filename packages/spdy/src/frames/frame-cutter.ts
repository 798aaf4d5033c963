import { frameHeaderBytes } from './frame.ts';

const controlBit = 0x80;
const streamIdBytes = 4;

/** Frames up to this length go on whole, when that is asked for: Go writes them in pieces of a few bytes. */
const wholeFrameBytesMax = 2048;

/** What is known of a frame once its beginning is there. */
export interface FrameStart {
  /** Undefined for DATA. */
  controlType: number | undefined;
  flags: number;
  /** 0 for control frames that have none. */
  streamId: number;
}

/** What becomes of the frames that a {@link FrameCutter} finds. */
export interface CutHandler {
  /** A frame begins; false leaves it out. */
  frame(start: FrameStart): boolean;
  /** Bytes that stay, in order: views on what came in, or copies of beginnings that came in pieces. */
  pass(bytes: Uint8Array): void;
  /** Between two frames. What `wantsBorder` says is asked first. */
  border(): void;
  /** True cuts what is passed at the next border, where something is to be put in. */
  wantsBorder(): boolean;
}

/** Options of a {@link FrameCutter}. */
export interface CutterOptions {
  /** Holds short frames (2 KiB) back until they are whole, so that they leave in one piece. Default false. */
  gathersShortFrames?: boolean | undefined;
}

/**
 * Finds the frames in a stream of bytes without unpacking them: for relays that pass most of them on as they are. Holds
 * back the beginning by which a frame is judged, twelve bytes at most, or short frames whole.
 */
export class FrameCutter {
  readonly #handler: CutHandler;
  readonly #wholeBytesMax: number;
  /** A beginning that comes in pieces. */
  readonly #start = Buffer.alloc(wholeFrameBytesMax);
  #startFill = 0;
  /** Bytes of the frame's payload that are still to come. */
  #left = 0;
  #staying = true;

  constructor(handler: CutHandler, { gathersShortFrames = false }: CutterOptions = {}) {
    this.#handler = handler;
    this.#wholeBytesMax = gathersShortFrames ? wholeFrameBytesMax : 0;
  }

  /** True where a frame may be put in now. */
  get isAtBorder(): boolean {
    return this.#left === 0 && this.#startFill === 0;
  }

  push(chunk: Uint8Array): void {
    const bytes = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.length);
    let from = 0;
    let at = 0;
    const flush = (to: number) => {
      if (to > from) this.#handler.pass(bytes.subarray(from, to));
      from = to;
    };
    while (at < bytes.length) {
      if (this.#left > 0) {
        const end = Math.min(bytes.length, at + this.#left);
        this.#left -= end - at;
        at = end;
        if (!this.#staying) from = at;
        continue;
      }
      if (this.#startFill === 0 && this.#handler.wantsBorder()) {
        flush(at);
        this.#handler.border();
      }
      const startBytes = this.#startFill === 0 ? this.#startBytes(bytes.subarray(at)) : undefined;
      if (startBytes !== undefined && at + startBytes <= bytes.length) {
        const isKept = this.#judge(bytes.subarray(at, at + startBytes));
        if (!isKept) flush(at);
        at += startBytes;
        if (!isKept) from = at;
        continue;
      }
      flush(at);
      at = this.#gather(bytes, at);
      from = at;
    }
    if (this.#staying || from < at) flush(at);
    if (this.isAtBorder && this.#handler.wantsBorder()) this.#handler.border();
  }

  /** The stream has ended: what is held of a beginning goes on as it is. */
  end(): void {
    if (this.#startFill > 0) this.#handler.pass(Buffer.from(this.#start.subarray(0, this.#startFill)));
    this.#startFill = 0;
  }

  /** Adds to a beginning that comes in pieces, and judges it once it is there. Returns where to go on. */
  #gather(bytes: Buffer, at: number): number {
    let next = at;
    for (;;) {
      const wanted = this.#startBytes(this.#start.subarray(0, this.#startFill)) ?? frameHeaderBytes;
      if (this.#startFill === wanted && this.#startFill >= frameHeaderBytes) break;
      const taken = bytes.copy(this.#start, this.#startFill, next, next + wanted - this.#startFill);
      if (taken === 0) return next;
      this.#startFill += taken;
      next += taken;
    }
    const start = Buffer.from(this.#start.subarray(0, this.#startFill));
    this.#startFill = 0;
    if (this.#judge(start)) this.#handler.pass(start);
    return next;
  }

  /** How many bytes a frame that begins with `bytes` is judged by; undefined while its header is not there. */
  #startBytes(bytes: Buffer): number | undefined {
    if (bytes.length < frameHeaderBytes) return undefined;
    const payloadBytes = bytes.readUIntBE(5, 3);
    if (frameHeaderBytes + payloadBytes <= this.#wholeBytesMax) return frameHeaderBytes + payloadBytes;
    const isControl = (bytes[0]! & controlBit) !== 0;
    return frameHeaderBytes + (isControl ? Math.min(streamIdBytes, payloadBytes) : 0);
  }

  #judge(start: Buffer): boolean {
    const isControl = (start[0]! & controlBit) !== 0;
    const idAt = isControl ? frameHeaderBytes : 0;
    this.#left = start.readUIntBE(5, 3) - (start.length - frameHeaderBytes);
    this.#staying = this.#handler.frame({
      controlType: isControl ? start.readUInt16BE(2) : undefined,
      flags: start[4]!,
      streamId: start.length >= idAt + streamIdBytes ? start.readUInt32BE(idAt) & 0x7fff_ffff : 0,
    });
    return this.#staying;
  }
}

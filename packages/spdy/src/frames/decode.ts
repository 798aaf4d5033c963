import { type ControlHeader, type ControlLimits, ControlReader, requireStreamId } from './control.ts';
import { type FrameHandler, frameFlag, frameHeaderBytes, streamIdMax } from './frame.ts';

const nothing = new Uint8Array(0);

/**
 * Turns bytes into frames, at whatever borders the bytes arrive. Control payloads are gathered up to their bound;
 * DATA passes through in pieces, as views on what came in.
 */
export class FrameDecoder {
  readonly #handler: FrameHandler;
  readonly #control: ControlReader;
  readonly #header = Buffer.alloc(frameHeaderBytes);
  #headerFill = 0;
  #stopped = false;

  /** DATA in progress. */
  #dataStreamId = 0;
  #dataLeft = 0;
  #dataFin = false;

  /** Control frame in progress, when its payload did not arrive in one piece. */
  #gathering: { header: ControlHeader; payload: Buffer; fill: number } | undefined;

  constructor(handler: FrameHandler, limits: ControlLimits) {
    this.#handler = handler;
    this.#control = new ControlReader(handler, limits);
  }

  /** Everything from here on is ignored, also the rest of the bytes being pushed. */
  stop(): void {
    this.#stopped = true;
    this.#gathering = undefined;
  }

  /**
   * Takes the next bytes and calls the handler for what they complete. Throws `SpdyError` (`protocol`,
   * `limit-exceeded`) when the connection can't go on; later bytes are ignored.
   */
  push(chunk: Uint8Array): void {
    const bytes = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.length);
    try {
      let offset = 0;
      while (offset < bytes.length && !this.#stopped) {
        if (this.#dataLeft > 0) offset = this.#takeData(bytes, offset);
        else if (this.#gathering) offset = this.#takePayload(this.#gathering, bytes, offset);
        else offset = this.#takeHeader(bytes, offset);
      }
    } catch (error) {
      this.stop();
      throw error;
    }
  }

  #takeHeader(bytes: Buffer, offset: number): number {
    if (this.#headerFill === 0 && bytes.length - offset >= frameHeaderBytes) {
      const end = offset + frameHeaderBytes;
      return this.#begin(bytes.readUInt32BE(offset), bytes.readUInt32BE(offset + 4), bytes, end);
    }
    const taken = bytes.copy(
      this.#header,
      this.#headerFill,
      offset,
      offset + frameHeaderBytes - this.#headerFill,
    );
    this.#headerFill += taken;
    if (this.#headerFill < frameHeaderBytes) return offset + taken;
    this.#headerFill = 0;
    return this.#begin(this.#header.readUInt32BE(0), this.#header.readUInt32BE(4), bytes, offset + taken);
  }

  /** Starts the frame with these two header words; its payload begins at `offset`. Returns where to go on. */
  #begin(firstWord: number, secondWord: number, bytes: Buffer, offset: number): number {
    const flags = secondWord >>> 24;
    const length = secondWord & 0xff_ffff;
    if (firstWord > streamIdMax)
      return this.#beginControl({ type: firstWord & 0xffff, flags, length }, bytes, offset);
    this.#beginData(firstWord, flags, length);
    return offset;
  }

  #beginData(streamId: number, flags: number, length: number): void {
    requireStreamId(streamId, 'DATA');
    const fin = (flags & frameFlag.fin) !== 0;
    if (length === 0) this.#handler.data(streamId, nothing, fin);
    this.#dataStreamId = streamId;
    this.#dataLeft = length;
    this.#dataFin = fin;
  }

  #takeData(bytes: Buffer, offset: number): number {
    const end = Math.min(bytes.length, offset + this.#dataLeft);
    this.#dataLeft -= end - offset;
    const isLast = this.#dataLeft === 0;
    this.#handler.data(this.#dataStreamId, bytes.subarray(offset, end), isLast && this.#dataFin);
    return end;
  }

  #beginControl(header: ControlHeader, bytes: Buffer, offset: number): number {
    this.#control.check(header);
    const end = offset + header.length;
    if (end <= bytes.length) {
      this.#control.read(header, bytes.subarray(offset, end));
      return end;
    }
    this.#gathering = { header, payload: Buffer.allocUnsafeSlow(header.length), fill: 0 };
    return offset;
  }

  #takePayload(
    gathering: { header: ControlHeader; payload: Buffer; fill: number },
    bytes: Buffer,
    offset: number,
  ) {
    const { header, payload, fill } = gathering;
    const taken = bytes.copy(payload, fill, offset);
    gathering.fill += taken;
    if (gathering.fill === payload.length) {
      this.#gathering = undefined;
      this.#control.read(header, payload);
    }
    return offset + taken;
  }
}

import { Transform } from 'node:stream';
import { ImageError } from '../errors.ts';

const frameMagic = 0xfd2fb528;
const skippableMagic = 0x184d2a50;
const magicBytes = 4;
const checksumBytes = 4;
const blockHeaderBytes = 3;
const rleBlock = 1;
const reservedBlock = 3;
const dictionaryIdBytes = [0, 1, 2, 4];
const contentSizeBytes = [0, 2, 4, 8];

/** Whether a little-endian magic number opens a zstd frame, skippable ones included (RFC 8878 section 3.1). */
export const isZstdMagic = (magic: number): boolean =>
  magic === frameMagic || (magic & 0xfffffff0) >>> 0 === skippableMagic;

/** The parts of frames: numbers are collected, the others only counted. */
type Part = 'magic' | 'descriptor' | 'blockHeader' | 'skippableSize' | 'header' | 'block' | 'rest';

/**
 * Cuts a zstd stream so that no chunk reaches from one frame into the next: Node's decoder drops what follows a frame's
 * end within a chunk, and zstd:chunked layers have a frame for each file and skippable frames among them (RFC 8878).
 * Fails with `ImageError` INVALID_ARGUMENT for bytes that are no frame, or when the last frame is cut off.
 */
export class ZstdFrames extends Transform {
  #part: Part = 'magic';
  #left = magicBytes;
  /** The number collected so far, low byte first, and its bits. */
  #number = 0;
  #bits = 0;
  #hasChecksum = false;
  #isLastBlock = false;

  override _transform(chunk: Uint8Array, _encoding: string, done: (error?: Error | null) => void): void {
    try {
      let start = 0;
      for (let at = 0; at < chunk.length; ) {
        at += this.#take(chunk, at);
        if (this.#left > 0 || !this.#advance()) continue;
        this.push(chunk.subarray(start, at));
        start = at;
      }
      if (start < chunk.length) this.push(chunk.subarray(start));
      done();
    } catch (error) {
      done(error as Error);
    }
  }

  override _flush(done: (error?: Error | null) => void): void {
    const isWhole = this.#part === 'magic' && this.#left === magicBytes;
    done(isWhole ? null : new ImageError('INVALID_ARGUMENT', 'zstd data is cut off'));
  }

  /** Takes bytes of the part under way; answers how many. */
  #take(chunk: Uint8Array, at: number): number {
    const isCounted = this.#part === 'header' || this.#part === 'block' || this.#part === 'rest';
    const taken = isCounted ? Math.min(this.#left, chunk.length - at) : 1;
    this.#left -= taken;
    if (isCounted) return taken;
    this.#number += (chunk[at] ?? 0) * 2 ** this.#bits;
    this.#bits += 8;
    return taken;
  }

  /** Goes on to the next part that has bytes; true when that is another frame's beginning. */
  #advance(): boolean {
    do {
      const number = this.#number;
      this.#number = 0;
      this.#bits = 0;
      [this.#part, this.#left] = this.#follow(number);
    } while (this.#left === 0);
    return this.#part === 'magic';
  }

  /** What follows the part that has ended, which held `number`, and how many bytes it has. */
  #follow(number: number): [Part, bytes: number] {
    switch (this.#part) {
      case 'magic':
        if (!isZstdMagic(number))
          throw new ImageError('INVALID_ARGUMENT', 'zstd data goes on with bytes that are no frame');
        return number === frameMagic ? ['descriptor', 1] : ['skippableSize', 4];
      case 'skippableSize':
        return ['rest', number];
      case 'descriptor':
        this.#hasChecksum = (number & 4) !== 0;
        return ['header', headerBytes(number)];
      case 'blockHeader':
        this.#isLastBlock = (number & 1) !== 0;
        return ['block', blockBytes(number)];
      case 'block':
        if (this.#isLastBlock) return ['rest', this.#hasChecksum ? checksumBytes : 0];
        return ['blockHeader', blockHeaderBytes];
      case 'header':
        return ['blockHeader', blockHeaderBytes];
      case 'rest':
        return ['magic', magicBytes];
    }
  }
}

/** Bytes between the frame header's descriptor and the first block (section 3.1.1.1). */
function headerBytes(descriptor: number): number {
  const isSingleSegment = (descriptor & 0x20) !== 0;
  const sizeFlag = descriptor >> 6;
  const contentSize = sizeFlag === 0 && isSingleSegment ? 1 : (contentSizeBytes[sizeFlag] ?? 0);
  return (isSingleSegment ? 0 : 1) + (dictionaryIdBytes[descriptor & 3] ?? 0) + contentSize;
}

/** Bytes of a block as it lies in the stream (section 3.1.1.2). */
function blockBytes(header: number): number {
  const type = (header >> 1) & 3;
  if (type === reservedBlock)
    throw new ImageError('INVALID_ARGUMENT', 'zstd data has a block of the reserved type');
  return type === rleBlock ? 1 : header >> 3;
}

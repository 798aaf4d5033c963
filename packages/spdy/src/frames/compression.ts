import {
  Z_BUF_ERROR,
  Z_DEFAULT_STRATEGY,
  Z_NEED_DICT,
  Z_OK,
  Z_SYNC_FLUSH,
  ZStream,
  zlibDeflate,
  zlibDeflateInit2,
  zlibDeflateSetDictionary,
  zlibInflate,
  zlibInflateInit2,
  zlibInflateSetDictionary,
} from 'pako';
import { headerDictionary } from './dictionary.ts';
import { SpdyError } from './errors.ts';

const deflateMethod = 8;
const compressionLevel = 9;
/** 4 KiB of history: room for the dictionary and the few header words in use, at a tenth of the usual memory. */
const windowBits = 12;
const memoryLevel = 3;
/** pako's own hash takes 64 KiB whatever the memory level; zlib's classic one takes what the level says. */
const smallHash = true;
/** The window is as large as the peer's first two bytes say: 32 KiB from Go, 4 KiB from ourselves. */
const windowAsPeerSays = 0;

/** Work space that all contexts share: every call is synchronous and copies its result out. */
let scratch = new Uint8Array(16 * 1024);

function scratchOf(size: number): Uint8Array<ArrayBuffer> {
  if (scratch.length < size) scratch = new Uint8Array(size);
  return scratch;
}

/** A zlib head as ours is: 4 KiB of history, and the checksum of the SPDY/3 dictionary. */
const streamHead = Buffer.from('48e6e3c6a7c2', 'hex');

/** The block of no headers, packed without a look back: four literal zeros and a sync flush. */
const packedNothing = Buffer.from('6260606000000000ffff', 'hex');
const firstPackedNothing = Buffer.concat([streamHead, packedNothing]);

/** The plain form of that block: a count of 0. */
const plainNothing = Buffer.alloc(4);

/** So many of them fill the whole history. */
const nothingsInHistory = (1 << windowBits) / plainNothing.length;

/**
 * The sending direction's one zlib context (SPDY draft 3.1, section 2.6.10.1). Blocks must reach the wire in the order
 * in which they were compressed.
 */
export class HeaderDeflater {
  #stream: ZStream | undefined;
  /** Blocks of no headers that went out before there was a context. Replies have no others, and so need none. */
  #nothings = 0;

  /** Compresses one header block, closed by a sync flush. */
  deflate(block: Uint8Array): Uint8Array {
    if (!this.#stream && plainNothing.equals(block)) {
      this.#nothings += 1;
      return this.#nothings === 1 ? firstPackedNothing : packedNothing;
    }
    this.#stream ??= this.#open();
    return compress(this.#stream, block);
  }

  /** A context whose history holds what went out without it. */
  #open(): ZStream {
    const stream = openDeflate();
    for (let left = Math.min(this.#nothings, nothingsInHistory); left > 0; left -= 1)
      compress(stream, plainNothing);
    return stream;
  }
}

function compress(stream: ZStream, block: Uint8Array): Uint8Array {
  const output = scratchOf(block.length * 2 + 1024);
  stream.input = block;
  stream.next_in = 0;
  stream.avail_in = block.length;
  stream.output = output;
  stream.next_out = 0;
  stream.avail_out = output.length;
  const status = zlibDeflate(stream, Z_SYNC_FLUSH);
  if (status !== Z_OK || stream.avail_in > 0 || stream.avail_out === 0) {
    throw new SpdyError(
      'invalid-state',
      `compressing a header block of ${block.length} bytes failed (${status})`,
    );
  }
  return output.slice(0, stream.next_out);
}

function openDeflate(): ZStream {
  const stream = new ZStream();
  const opened = zlibDeflateInit2(
    stream,
    compressionLevel,
    deflateMethod,
    windowBits,
    memoryLevel,
    Z_DEFAULT_STRATEGY,
    smallHash,
  );
  if (opened !== Z_OK || zlibDeflateSetDictionary(stream, headerDictionary) !== Z_OK) {
    throw new SpdyError('invalid-state', `opening the header compressor failed (${opened})`);
  }
  return stream;
}

/** The receiving direction's one zlib context. */
export class HeaderInflater {
  readonly #blockBytesMax: number;
  #stream: ZStream | undefined;

  /** Refuses blocks that unpack to more than `blockBytesMax`. */
  constructor(blockBytesMax: number) {
    this.#blockBytesMax = blockBytesMax;
  }

  /**
   * Unpacks one block. Throws `SpdyError`: `protocol` when the bytes are no such block, `limit-exceeded` when they
   * unpack to too much; the context is of no use after that. The result is good until the next call.
   */
  inflate(compressed: Uint8Array): Buffer {
    this.#stream ??= openInflate();
    const stream = this.#stream;
    const output = scratchOf(this.#blockBytesMax + 1);
    stream.input = compressed;
    stream.next_in = 0;
    stream.avail_in = compressed.length;
    stream.output = output;
    stream.next_out = 0;
    stream.avail_out = this.#blockBytesMax + 1;
    let status = zlibInflate(stream, Z_SYNC_FLUSH);
    if (status === Z_NEED_DICT && zlibInflateSetDictionary(stream, headerDictionary) === Z_OK) {
      status = zlibInflate(stream, Z_SYNC_FLUSH);
    }
    if (stream.avail_out === 0) {
      throw new SpdyError(
        'limit-exceeded',
        `a header block unpacks to more than ${this.#blockBytesMax} bytes`,
      );
    }
    if ((status !== Z_OK && status !== Z_BUF_ERROR) || stream.avail_in > 0) {
      throw new SpdyError(
        'protocol',
        `a header block can't be unpacked: ${stream.msg || `zlib status ${status}`}`,
      );
    }
    return Buffer.from(output.buffer, 0, stream.next_out);
  }
}

function openInflate(): ZStream {
  const stream = new ZStream();
  const opened = zlibInflateInit2(stream, windowAsPeerSays);
  if (opened !== Z_OK) throw new SpdyError('invalid-state', `opening the header unpacker failed (${opened})`);
  return stream;
}

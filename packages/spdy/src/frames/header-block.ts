import type { SpdyLimits } from '../limits.ts';
import { SpdyError } from './errors.ts';
import type { SpdyHeaders } from './frame.ts';

/** Bounds that a header block must keep. */
export type HeaderLimits = Pick<SpdyLimits, 'headersMax' | 'headerFieldBytesMax' | 'headerBlockBytesMax'>;

/** Names that belong to one hop and may not be in any block; Go's framer ends the connection over them. */
const hopByHopNames = new Set(['connection', 'keep-alive', 'proxy-connection', 'transfer-encoding']);

/** In SYN_STREAM Go's framer refuses this one too. */
const requestOnlyName = 'host';

/** Several values of one name are joined by a NUL. */
const valueSeparator = '\0';

/** The plain form of a header block: pair count, then each name and value behind its 32-bit length. */
export function encodeHeaderBlock(headers: Readonly<Record<string, string>>, limits: HeaderLimits): Buffer {
  const pairs = Object.entries(headers).map(([name, value]) => encodePair(name, value, limits));
  if (pairs.length > limits.headersMax) {
    throw new SpdyError(
      'invalid-header',
      `${pairs.length} headers; at most ${limits.headersMax} can be sent`,
    );
  }
  const count = Buffer.alloc(4);
  count.writeUInt32BE(pairs.length);
  const block = Buffer.concat([count, ...pairs]);
  if (block.length > limits.headerBlockBytesMax) {
    throw new SpdyError(
      'invalid-header',
      `headers of ${block.length} bytes; at most ${limits.headerBlockBytesMax} can be sent`,
    );
  }
  return block;
}

function encodePair(name: string, value: string, limits: HeaderLimits): Buffer {
  const lowerName = name.toLowerCase();
  if (lowerName === '' || hopByHopNames.has(lowerName) || lowerName === requestOnlyName) {
    throw new SpdyError('invalid-header', `header "${name}" can't be sent: peers end the connection over it`);
  }
  const nameBytes = Buffer.from(lowerName);
  const valueBytes = Buffer.from(value);
  if (Math.max(nameBytes.length, valueBytes.length) > limits.headerFieldBytesMax) {
    throw new SpdyError(
      'invalid-header',
      `header "${name.slice(0, 64)}" is over ${limits.headerFieldBytesMax} bytes`,
    );
  }
  const pair = Buffer.allocUnsafe(8 + nameBytes.length + valueBytes.length);
  const valueAt = pair.writeUInt32BE(nameBytes.length) + nameBytes.copy(pair, 4);
  pair.writeUInt32BE(valueBytes.length, valueAt);
  valueBytes.copy(pair, valueAt + 4);
  return pair;
}

/** Reads a plain header block; throws `SpdyError` (`protocol`, `limit-exceeded`) on what peers may not send. */
export function decodeHeaderBlock(block: Buffer, limits: HeaderLimits, isRequest: boolean): SpdyHeaders {
  const reader = new BlockReader(block, limits.headerFieldBytesMax);
  const count = reader.uint32();
  if (count > limits.headersMax) {
    throw new SpdyError(
      'limit-exceeded',
      `${count} headers in one block; at most ${limits.headersMax} are taken`,
    );
  }
  const headers = new Map<string, string>();
  for (let index = 0; index < count; index++) {
    const name = reader.text();
    const value = reader.text();
    checkName(name, isRequest);
    if (!headers.has(name)) headers.set(name, value.split(valueSeparator, 1)[0] ?? '');
  }
  if (!reader.atEnd) throw new SpdyError('protocol', 'a header block is longer than its pairs');
  return headers;
}

function checkName(name: string, isRequest: boolean): void {
  if (name === '') throw new SpdyError('protocol', 'a header has an empty name');
  if (name !== name.toLowerCase()) throw new SpdyError('protocol', `header name "${name}" is not lower case`);
  if (hopByHopNames.has(name) || (isRequest && name === requestOnlyName)) {
    throw new SpdyError('protocol', `header "${name}" may not be sent over SPDY`);
  }
}

/** Walks over a plain header block. */
class BlockReader {
  readonly #block: Buffer;
  readonly #fieldBytesMax: number;
  #offset = 0;

  constructor(block: Buffer, fieldBytesMax: number) {
    this.#block = block;
    this.#fieldBytesMax = fieldBytesMax;
  }

  get atEnd(): boolean {
    return this.#offset === this.#block.length;
  }

  uint32(): number {
    if (this.#offset + 4 > this.#block.length) throw new SpdyError('protocol', 'a header block is cut short');
    const value = this.#block.readUInt32BE(this.#offset);
    this.#offset += 4;
    return value;
  }

  text(): string {
    const length = this.uint32();
    if (length > this.#fieldBytesMax) {
      throw new SpdyError(
        'limit-exceeded',
        `a header field says ${length} bytes; at most ${this.#fieldBytesMax}`,
      );
    }
    const end = this.#offset + length;
    if (end > this.#block.length) throw new SpdyError('protocol', 'a header block is cut short');
    const value = this.#block.toString('utf8', this.#offset, end);
    this.#offset = end;
    return value;
  }
}

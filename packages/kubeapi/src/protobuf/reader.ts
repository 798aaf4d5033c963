/** Reads protobuf's wire format: tags, varints and length-delimited bytes (protobuf.dev/programming-guides/encoding). */

/** Bytes that are no protobuf message of the expected shape. */
export class ProtobufError extends Error {
  override readonly name = 'ProtobufError';
}

/** Wire types. */
export const wireVarint = 0;
export const wireFixed64 = 1;
export const wireBytes = 2;
const wireFixed32 = 5;

/** A position in a byte array; every read checks the end. Throws {@link ProtobufError}. */
export class ProtobufReader {
  readonly bytes: Buffer;
  position: number;

  constructor(bytes: Uint8Array) {
    this.bytes = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.position = 0;
  }

  /** A varint that fits 32 bits: tags, lengths, booleans. */
  uint32(): number {
    let result = 0;
    for (let shift = 0; shift < 35; shift += 7) {
      const byte = this.bytes[this.position++];
      if (byte === undefined) throw new ProtobufError('unexpected EOF');
      result |= (byte & 0x7f) << shift;
      if (byte < 0x80) return result >>> 0;
    }
    throw new ProtobufError('proto: integer overflow');
  }

  /** A 64-bit signed varint as a number; throws when a double cannot hold it. */
  int64(): number {
    let low = 0;
    let high = 0;
    for (let shift = 0; shift < 70; shift += 7) {
      const byte = this.bytes[this.position++];
      if (byte === undefined) throw new ProtobufError('unexpected EOF');
      const bits = byte & 0x7f;
      if (shift < 28) low |= bits << shift;
      else if (shift === 28) {
        low |= bits << 28;
        high |= bits >> 4;
      } else high |= shift < 63 ? bits << (shift - 32) : (bits & 1) << 31;
      if (byte < 0x80) return joinSigned(low, high);
    }
    throw new ProtobufError('proto: integer overflow');
  }

  /** An IEEE double. */
  double(): number {
    this.#need(8);
    const value = this.bytes.readDoubleLE(this.position);
    this.position += 8;
    return value;
  }

  /** The end of a length-delimited value that starts here; throws when it lies past `end`. */
  lengthEnd(end: number): number {
    const length = this.uint32();
    if (length > end - this.position) throw new ProtobufError('unexpected EOF');
    return this.position + length;
  }

  /** UTF-8 text up to `end`. Short ASCII is read by hand: a call into C++ costs more than the text. */
  text(end: number): string {
    const start = this.position;
    this.position = end;
    if (end - start > 20) return this.bytes.toString('utf8', start, end);
    let text = '';
    for (let at = start; at < end; at++) {
      const byte = this.bytes[at]!;
      if (byte >= 0x80) return this.bytes.toString('utf8', start, end);
      text += String.fromCharCode(byte);
    }
    return text;
  }

  /** Passes over a field that the schema does not know; never past `end`. */
  skip(wireType: number, end: number): void {
    if (wireType === wireVarint) this.#skipVarint(end);
    else if (wireType === wireBytes) this.position = this.lengthEnd(end);
    else if (wireType === wireFixed64) this.position += 8;
    else if (wireType === wireFixed32) this.position += 4;
    else throw new ProtobufError(`proto: illegal wireType ${wireType}`);
    if (this.position > end) throw new ProtobufError('unexpected EOF');
  }

  #skipVarint(end: number): void {
    while (this.position < end) if (this.bytes[this.position++]! < 0x80) return;
    throw new ProtobufError('unexpected EOF');
  }

  #need(count: number): void {
    if (this.position + count > this.bytes.length) throw new ProtobufError('unexpected EOF');
  }
}

function joinSigned(low: number, high: number): number {
  const value = (high | 0) * 4294967296 + (low >>> 0);
  if (!Number.isSafeInteger(value)) {
    throw new ProtobufError('integer beyond ±(2^53-1): wherry keeps whole numbers as doubles');
  }
  return value;
}

/** Reads protobuf's wire format: tags, varints and length-delimited bytes (protobuf.dev/programming-guides/encoding). */

/** Bytes that are no protobuf message of the expected shape. */
export class ProtobufError extends Error {
  override readonly name = 'ProtobufError';
}

/** Wire types. */
export const wireVarint = 0;
export const wireFixed64 = 1;
export const wireBytes = 2;
const wireStartGroup = 3;
const wireEndGroup = 4;
const wireFixed32 = 5;

/** The largest number that a field may have, and none has. */
const unknownNumber = 2 ** 28 - 1;

/** A position in a byte array; every read checks the end. Throws {@link ProtobufError}. */
export class ProtobufReader {
  readonly bytes: Buffer;
  position: number;
  /** Where the message that is read ends: nothing is read beyond. */
  end: number;
  #low = 0;
  #high = 0;

  constructor(bytes: Uint8Array) {
    this.bytes = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.position = 0;
    this.end = this.bytes.length;
  }

  /** A varint of up to ten bytes into two halves; what of the last is beyond 64 bits is dropped. */
  #varint(): void {
    let low = 0;
    let high = 0;
    for (let shift = 0; shift < 70; shift += 7) {
      if (this.position >= this.end) throw new ProtobufError('unexpected EOF');
      const byte = this.bytes[this.position++]!;
      const bits = byte & 0x7f;
      if (shift < 28) low |= bits << shift;
      else if (shift === 28) {
        low |= bits << 28;
        high |= bits >> 4;
      } else high |= shift < 63 ? bits << (shift - 32) : (bits & 1) << 31;
      if (byte < 0x80) {
        this.#low = low;
        this.#high = high;
        return;
      }
    }
    throw new ProtobufError('proto: integer overflow');
  }

  /** Number and wire type of the next field of a `message`, as one: `number << 3 | type`. */
  tag(message: string): number {
    this.#varint();
    const type = this.#low & 7;
    const number = (this.#high << 29) | (this.#low >>> 3);
    if (type === wireEndGroup) throw new ProtobufError(`proto: ${message}: wiretype end group for non-group`);
    if (number > 0 && number < 2 ** 29) return number * 8 + type;
    // Such a field is in no schema, and numbers of 32 bits have no room for it.
    if (number > 0) return unknownNumber * 8 + type;
    const said = BigInt.asUintN(64, (BigInt(this.#high) << 32n) | BigInt(this.#low >>> 0));
    throw new ProtobufError(`proto: ${message}: illegal tag ${number} (wire type ${said})`);
  }

  /** A boolean. */
  bool(): boolean {
    this.#varint();
    return this.#low !== 0 || this.#high !== 0;
  }

  /** A 32-bit signed varint; what is beyond is dropped. */
  int32(): number {
    this.#varint();
    return this.#low;
  }

  /** A 64-bit signed varint as a number; throws when a double cannot hold it. */
  int64(): number {
    this.#varint();
    return joinSigned(this.#low, this.#high);
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
    this.#varint();
    if (this.#high < 0) throw new ProtobufError('proto: negative length found during unmarshaling');
    const length = this.#high * 4294967296 + (this.#low >>> 0);
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

  /** Passes over a field that the schema does not know, or a group of them; never past `end`. */
  skip(wireType: number, end: number): void {
    let type = wireType;
    for (let depth = 0; ; type = this.#nextType()) {
      if (type === wireVarint) this.#skipVarint(end);
      else if (type === wireBytes) this.position = this.lengthEnd(end);
      else if (type === wireFixed64) this.position += 8;
      else if (type === wireFixed32) this.position += 4;
      else if (type === wireStartGroup) depth += 1;
      else if (type === wireEndGroup) depth -= 1;
      else throw new ProtobufError(`proto: illegal wireType ${type}`);
      if (this.position > end) throw new ProtobufError('unexpected EOF');
      if (depth === 0) return;
    }
  }

  #nextType(): number {
    this.#varint();
    return this.#low & 7;
  }

  #skipVarint(end: number): void {
    for (let count = 0; this.position < end; count += 1) {
      if (count === 10) throw new ProtobufError('proto: integer overflow');
      if (this.bytes[this.position++]! < 0x80) return;
    }
    throw new ProtobufError('unexpected EOF');
  }

  #need(count: number): void {
    if (this.position + count > this.end) throw new ProtobufError('unexpected EOF');
  }
}

function joinSigned(low: number, high: number): number {
  const value = (high | 0) * 4294967296 + (low >>> 0);
  if (!Number.isSafeInteger(value)) {
    throw new ProtobufError('integer beyond ±(2^53-1): wherry keeps whole numbers as doubles');
  }
  return value;
}

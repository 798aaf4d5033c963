/**
 * Writes protobuf's wire format from the end to the start, so that a message's length is known when its prefix is
 * due and nothing is measured twice.
 */

const initialBytes = 64 * 1024;
const keptBytesMax = 1024 * 1024;

/** The buffer of the last finished writer: a message is written into it and copied out, so that none is allocated. */
let spare: Buffer | undefined;

/** A buffer that fills from its end. Fields and their parts are written in reverse order. */
export class ReverseWriter {
  #bytes: Buffer;
  #position: number;

  constructor() {
    this.#bytes = spare ?? Buffer.allocUnsafe(initialBytes);
    this.#position = this.#bytes.length;
    spare = undefined;
  }

  /** Bytes written so far. */
  get length(): number {
    return this.#bytes.length - this.#position;
  }

  /** A copy of the message; the writer is done with. */
  finish(): Uint8Array {
    const message = Uint8Array.prototype.slice.call(this.#bytes, this.#position);
    if (this.#bytes.length <= keptBytesMax) spare = this.#bytes;
    return message;
  }

  /** An unsigned number below 2^32. */
  uint32(value: number): void {
    const size = value < 0x80 ? 1 : value < 0x4000 ? 2 : value < 0x200000 ? 3 : value < 0x10000000 ? 4 : 5;
    let at = this.#reserve(size);
    let rest = value;
    while (rest > 0x7f) {
      this.#bytes[at++] = (rest & 0x7f) | 0x80;
      rest >>>= 7;
    }
    this.#bytes[at] = rest;
  }

  /** A whole number within ±2^53; negative ones take ten bytes, as protobuf has it. */
  int64(value: number): void {
    if (value >= 0 && value < 4294967296) {
      this.uint32(value);
      return;
    }
    const groups: number[] = [];
    let rest = BigInt.asUintN(64, BigInt(value));
    do {
      groups.push(Number(rest & 0x7fn));
      rest >>= 7n;
    } while (rest > 0n);
    let at = this.#reserve(groups.length);
    for (let index = 0; index < groups.length; index++) {
      this.#bytes[at++] = index < groups.length - 1 ? groups[index]! | 0x80 : groups[index]!;
    }
  }

  /** An IEEE double. */
  double(value: number): void {
    const at = this.#reserve(8);
    this.#bytes.writeDoubleLE(value, at);
  }

  /** Bytes as they are, without a length. */
  raw(bytes: Uint8Array): void {
    const at = this.#reserve(bytes.length);
    this.#bytes.set(bytes, at);
  }

  /** UTF-8 text with its length. */
  text(value: string): void {
    const count = value.length;
    if (count > 40 || !this.#shortAscii(value)) {
      const size = Buffer.byteLength(value);
      const at = this.#reserve(size);
      this.#bytes.write(value, at, size, 'utf8');
      this.uint32(size);
      return;
    }
    this.uint32(count);
  }

  /** Closes a length-delimited value that began when {@link length} was `before`, with its tag in front. */
  prefix(tag: number, before: number): void {
    this.uint32(this.length - before);
    this.uint32(tag);
  }

  #shortAscii(value: string): boolean {
    const count = value.length;
    const start = this.#reserve(count);
    for (let index = 0; index < count; index++) {
      const code = value.charCodeAt(index);
      if (code >= 0x80) {
        this.#position += count;
        return false;
      }
      this.#bytes[start + index] = code;
    }
    return true;
  }

  /** Makes room in front and returns where it begins. May replace the buffer: look at `#bytes` only after it. */
  #reserve(size: number): number {
    if (size > this.#position) this.#grow(size);
    this.#position -= size;
    return this.#position;
  }

  #grow(size: number): void {
    const used = this.length;
    const capacity = Math.max(this.#bytes.length * 2, used + size);
    const larger = Buffer.allocUnsafe(capacity);
    this.#bytes.copy(larger, capacity - used, this.#position);
    this.#bytes = larger;
    this.#position = capacity - used;
  }
}

import { internetClass, recordTypes } from './codes.ts';
import { foldCase, labelBytes, labelsOf, type Name } from './name.ts';
import type { ResourceRecord } from './record.ts';

/** Offsets beyond this can't be pointed to (RFC 1035 §4.1.4). */
const pointedMax = 0x3fff;

/** Writes records one after the other into a message, names compressed, and none that does not fit whole. */
export class MessageWriter {
  readonly #buffer: Buffer;
  readonly #limit: number;
  #at: number;
  /** Where the names stand that were written, and their ends; made when the first one is needed. */
  readonly #written = new Map<Name, number>();

  /** Goes on at `at`, behind what the caller has written, up to `limit`. */
  constructor(buffer: Buffer, at: number, limit: number) {
    this.#buffer = buffer;
    this.#at = at;
    this.#limit = limit;
  }

  get length(): number {
    return this.#at;
  }

  /** Lets later names point to the one that stands at `offset`. */
  pointTo(name: Name, offset: number): void {
    let at = offset;
    let rest = name;
    for (const label of labelsOf(name)) {
      this.#written.set(rest, at);
      at += 1 + (label.includes('\\') ? labelBytes(label).length : label.length);
      rest = rest.slice(label.length + 1);
    }
  }

  /** Writes a record, or nothing when it does not fit. */
  record({ owner, type, class: recordClass = internetClass, ttl, data }: ResourceRecord): boolean {
    const start = this.#at;
    if (!this.#name(owner, true) || this.#at + 10 > this.#limit) return this.#undo(start);
    const buffer = this.#buffer;
    buffer.writeUInt16BE(type, this.#at);
    buffer.writeUInt16BE(recordClass, this.#at + 2);
    buffer.writeUInt32BE(ttl, this.#at + 4);
    const lengthAt = this.#at + 8;
    this.#at += 10;
    // A server's address is looked for by programs that do not follow pointers there (RFC 2782).
    const mayCompress = type !== recordTypes.SRV;
    for (const part of data) {
      const fits = typeof part === 'string' ? this.#name(part, mayCompress) : this.#bytes(part);
      if (!fits) return this.#undo(start);
    }
    buffer.writeUInt16BE(this.#at - lengthAt - 2, lengthAt);
    return true;
  }

  #undo(start: number): false {
    for (const [name, at] of this.#written) if (at >= start) this.#written.delete(name);
    this.#at = start;
    return false;
  }

  #bytes(bytes: Uint8Array): boolean {
    if (this.#at + bytes.length > this.#limit) return false;
    this.#buffer.set(bytes, this.#at);
    this.#at += bytes.length;
    return true;
  }

  #name(name: Name, mayCompress: boolean): boolean {
    let rest = foldCase(name);
    for (const label of labelsOf(name)) {
      const pointed = mayCompress ? this.#written.get(rest) : undefined;
      if (pointed !== undefined) return this.#pointer(pointed);
      const bytes = label.includes('\\') ? labelBytes(label).length : label.length;
      if (this.#at + 1 + bytes > this.#limit) return false;
      if (this.#at <= pointedMax && !this.#written.has(rest)) this.#written.set(rest, this.#at);
      this.#buffer[this.#at] = bytes;
      if (bytes === label.length) this.#buffer.write(label, this.#at + 1, 'latin1');
      else this.#buffer.set(labelBytes(label), this.#at + 1);
      this.#at += 1 + bytes;
      rest = rest.slice(label.length + 1);
    }
    if (this.#at + 1 > this.#limit) return false;
    this.#buffer[this.#at++] = 0;
    return true;
  }

  #pointer(offset: number): boolean {
    if (this.#at + 2 > this.#limit) return false;
    this.#buffer.writeUInt16BE(0xc000 | offset, this.#at);
    this.#at += 2;
    return true;
  }
}

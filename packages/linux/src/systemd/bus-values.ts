/** A value of D-Bus: texts, numbers, big numbers, truth values, lists, and variants with their type. */
export type BusValue = string | number | bigint | boolean | BusVariant | readonly BusValue[];

/** A value that brings its type along. */
export interface BusVariant {
  signature: string;
  value: BusValue;
}

const alignments = new Map([
  ...['y', 'g', 'v'].map((type) => [type, 1] as const),
  ...['b', 'u', 'i', 's', 'o', 'a'].map((type) => [type, 4] as const),
  ...['t', 'x', '(', '{'].map((type) => [type, 8] as const),
]);

function alignmentOf(type: string): number {
  const alignment = alignments.get(type.charAt(0));
  if (alignment === undefined) throw new Error(`D-Bus: the type "${type}" is not known`);
  return alignment;
}

/** The complete types of a signature, one by one. Throws on a signature that is none. */
export function typesOf(signature: string): string[] {
  const types: string[] = [];
  for (let at = 0; at < signature.length; ) {
    const end = endOfType(signature, at);
    types.push(signature.slice(at, end));
    at = end;
  }
  return types;
}

function endOfType(signature: string, at: number): number {
  const first = signature.charAt(at);
  if (first === 'a') return endOfType(signature, at + 1);
  const closing = first === '(' ? ')' : first === '{' ? '}' : undefined;
  if (closing === undefined) {
    alignmentOf(first);
    return at + 1;
  }
  let inner = at + 1;
  if (signature.charAt(inner) === closing) throw new Error('D-Bus: a structure of nothing');
  while (signature.charAt(inner) !== closing) inner = endOfType(signature, inner);
  return inner + 1;
}

/** Writes values as D-Bus has them, little-endian (D-Bus Specification, "Marshaling"). */
export class BusWriter {
  #buffer = Buffer.alloc(256);
  #length = 0;

  get bytes(): Buffer {
    return this.#buffer.subarray(0, this.#length);
  }

  align(to: number): void {
    const padded = Math.ceil(this.#length / to) * to;
    this.#grow(padded - this.#length);
  }

  writeAll(signature: string, values: readonly BusValue[]): void {
    const types = typesOf(signature);
    if (types.length !== values.length)
      throw new Error(`D-Bus: ${values.length} values where "${signature}" has ${types.length}`);
    for (const [index, type] of types.entries()) this.write(type, values[index] as BusValue);
  }

  write(type: string, value: BusValue): void {
    this.align(alignmentOf(type));
    switch (type.charAt(0)) {
      case 'y':
        this.#buffer.writeUInt8(Number(value), this.#grow(1));
        return;
      case 'b':
        this.#writeCount(value ? 1 : 0);
        return;
      case 'u':
        this.#writeCount(Number(value));
        return;
      case 't':
        this.#writeBig(BigInt(value as bigint));
        return;
      case 's':
      case 'o':
        this.#writeText(String(value));
        return;
      case 'g':
        this.#writeSignature(String(value));
        return;
      case 'v':
        this.#writeVariant(value as BusVariant);
        return;
      case 'a':
        this.#writeList(type.slice(1), value as readonly BusValue[]);
        return;
      case '(':
        this.writeAll(type.slice(1, -1), value as readonly BusValue[]);
        return;
      default:
        throw new Error(`D-Bus: values of the type "${type}" are not written`);
    }
  }

  #writeBig(value: bigint): void {
    const at = this.#grow(8);
    this.#buffer.writeBigUInt64LE(value, at);
  }

  #writeCount(value: number): void {
    const at = this.#grow(4);
    this.#buffer.writeUInt32LE(value, at);
  }

  #writeText(text: string): void {
    const bytes = Buffer.from(text);
    this.#writeCount(bytes.length);
    const at = this.#grow(bytes.length + 1);
    bytes.copy(this.#buffer, at);
  }

  #writeSignature(text: string): void {
    const at = this.#grow(text.length + 2);
    this.#buffer.writeUInt8(text.length, at);
    this.#buffer.write(text, at + 1, 'latin1');
  }

  #writeVariant({ signature, value }: BusVariant): void {
    this.#writeSignature(signature);
    this.write(signature, value);
  }

  /** The list's bytes are counted from its first element, behind the padding. */
  #writeList(type: string, values: readonly BusValue[]): void {
    const countAt = this.#grow(4);
    this.align(alignmentOf(type));
    const begin = this.#length;
    for (const value of values) this.write(type, value);
    this.#buffer.writeUInt32LE(this.#length - begin, countAt);
  }

  /** Makes room for so many bytes, zeroes; answers where they begin. */
  #grow(bytes: number): number {
    const at = this.#length;
    this.#length += bytes;
    if (this.#length > this.#buffer.length)
      this.#buffer = Buffer.concat([this.#buffer, Buffer.alloc(Math.max(this.#buffer.length, bytes))]);
    return at;
  }
}

/** Reads values as D-Bus has them, little-endian. Every method throws RangeError behind the end. */
export class BusReader {
  readonly #bytes: Buffer;
  #at = 0;

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
  }

  readAll(signature: string): BusValue[] {
    return typesOf(signature).map((type) => this.read(type));
  }

  read(type: string): BusValue {
    this.#align(alignmentOf(type));
    switch (type.charAt(0)) {
      case 'y':
        return this.#bytes.readUInt8(this.#skip(1));
      case 'b':
        return this.#readCount() !== 0;
      case 'u':
        return this.#readCount();
      case 'i':
        return this.#bytes.readInt32LE(this.#skip(4));
      case 't':
        return this.#bytes.readBigUInt64LE(this.#skip(8));
      case 'x':
        return this.#bytes.readBigInt64LE(this.#skip(8));
      case 's':
      case 'o':
        return this.#readText(this.#readCount());
      case 'g':
        return this.#readText(this.#bytes.readUInt8(this.#skip(1)));
      case 'v':
        return this.#readVariant();
      case 'a':
        return this.#readList(type.slice(1));
      default:
        return this.readAll(type.slice(1, -1));
    }
  }

  #readVariant(): BusVariant {
    const signature = String(this.read('g'));
    return { signature, value: this.read(signature) };
  }

  #readList(type: string): BusValue[] {
    const bytes = this.#readCount();
    this.#align(alignmentOf(type));
    const end = this.#at + bytes;
    const values: BusValue[] = [];
    while (this.#at < end) values.push(this.read(type));
    return values;
  }

  #readCount(): number {
    return this.#bytes.readUInt32LE(this.#skip(4));
  }

  /** A zero stands behind every text. */
  #readText(bytes: number): string {
    const at = this.#skip(bytes + 1);
    return this.#bytes.toString('utf8', at, at + bytes);
  }

  #align(to: number): void {
    this.#at = Math.ceil(this.#at / to) * to;
  }

  #skip(bytes: number): number {
    const at = this.#at;
    this.#at += bytes;
    if (this.#at > this.#bytes.length) throw new RangeError('D-Bus: a message ends within a value');
    return at;
  }
}

/** The few kinds of DER (X.690) that a certificate is made of. Each function gives a whole element: tag, length, value. */

const tags = {
  boolean: 0x01,
  integer: 0x02,
  bitString: 0x03,
  octetString: 0x04,
  objectIdentifier: 0x06,
  utf8String: 0x0c,
  utcTime: 0x17,
  sequence: 0x30,
  set: 0x31,
} as const;

const constructedContext = 0xa0;
const primitiveContext = 0x80;
const longFormBit = 0x80;

function element(tag: number, value: Uint8Array): Buffer {
  return Buffer.concat([Buffer.from([tag]), lengthOf(value.length), value]);
}

function lengthOf(length: number): Buffer {
  if (length < longFormBit) return Buffer.from([length]);
  const digits = Buffer.from(length.toString(16).padStart(length > 0xff ? 4 : 2, '0'), 'hex');
  if (length > 0xffff) throw new RangeError(`DER: ${length} bytes are more than a certificate has`);
  return Buffer.concat([Buffer.from([longFormBit | digits.length]), digits]);
}

export const sequence = (...parts: Uint8Array[]): Buffer => element(tags.sequence, Buffer.concat(parts));
export const set = (...parts: Uint8Array[]): Buffer => element(tags.set, Buffer.concat(parts));
export const octetString = (value: Uint8Array): Buffer => element(tags.octetString, value);
export const utf8String = (text: string): Buffer => element(tags.utf8String, Buffer.from(text));
export const trueValue = (): Buffer => element(tags.boolean, Buffer.from([0xff]));

/** A positive integer from its big-endian bytes. */
export function integer(bytes: Uint8Array): Buffer {
  const isNegative = ((bytes[0] ?? 0) & longFormBit) !== 0;
  return element(tags.integer, isNegative ? Buffer.concat([Buffer.from([0]), bytes]) : bytes);
}

/** Bits from their bytes; `unusedBits` at the end of the last byte do not count. */
export function bitString(value: Uint8Array, unusedBits = 0): Buffer {
  return element(tags.bitString, Buffer.concat([Buffer.from([unusedBits]), value]));
}

/** `[number]` around whole elements. */
export function explicitTag(number: number, ...parts: Uint8Array[]): Buffer {
  return element(constructedContext | number, Buffer.concat(parts));
}

/** `[number]` in place of a primitive value's own tag. */
export function implicitTag(number: number, value: Uint8Array): Buffer {
  return element(primitiveContext | number, value);
}

/** An object identifier from its dotted form. */
export function objectIdentifier(dotted: string): Buffer {
  const [first = 0, second = 0, ...rest] = dotted.split('.').map(Number);
  return element(tags.objectIdentifier, Buffer.from([first * 40 + second, ...rest.flatMap(base128)]));
}

function base128(value: number): number[] {
  const digits = [value & 0x7f];
  for (let left = Math.floor(value / 128); left > 0; left = Math.floor(left / 128)) {
    digits.unshift((left & 0x7f) | longFormBit);
  }
  return digits;
}

/** A time before the year 2050, whole seconds (RFC 5280 §4.1.2.5.1). */
export function utcTime(date: Date): Buffer {
  const digits = date
    .toISOString()
    .replace(/[-:T]|\.\d+Z/g, '')
    .slice(2);
  return element(tags.utcTime, Buffer.from(`${digits}Z`));
}

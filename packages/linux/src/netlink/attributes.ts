/** Netlink attributes (struct nlattr): length, type, value, padded to four bytes. Host byte order, which is little here. */

/** Attribute values by type, as sent: bytes, nested attributes, or helpers below. */
export type AttributeValue = Uint8Array | AttributeList;

/** Attributes in sending order. */
export type AttributeList = readonly (readonly [type: number, value: AttributeValue])[];

const headerBytes = 4;
const nestedFlag = 0x8000;
const typeMask = 0x3fff;
const padded = (bytes: number) => (bytes + 3) & ~3;

/** Encodes attributes; nested lists get the nested flag. */
export function encodeAttributes(list: AttributeList): Buffer {
  return Buffer.concat(
    list.flatMap(([type, value]) => {
      const nested = !(value instanceof Uint8Array);
      const payload = nested ? encodeAttributes(value) : value;
      const header = Buffer.alloc(headerBytes);
      header.writeUInt16LE(headerBytes + payload.byteLength, 0);
      header.writeUInt16LE(nested ? type | nestedFlag : type, 2);
      return [header, payload, Buffer.alloc(padded(payload.byteLength) - payload.byteLength)];
    }),
  );
}

/** Decodes one level of attributes; the last of a type wins. Stops at a length that does not fit. */
export function decodeAttributes(bytes: Buffer): Map<number, Buffer> {
  const found = new Map<number, Buffer>();
  let offset = 0;
  while (offset + headerBytes <= bytes.byteLength) {
    const length = bytes.readUInt16LE(offset);
    if (length < headerBytes || offset + length > bytes.byteLength) break;
    const type = bytes.readUInt16LE(offset + 2) & typeMask;
    found.set(type, bytes.subarray(offset + headerBytes, offset + length));
    offset += padded(length);
  }
  return found;
}

/** A 32-bit number. */
export function uint32(value: number): Buffer {
  const buffer = Buffer.alloc(4);
  buffer.writeUInt32LE(value >>> 0);
  return buffer;
}

/** A string with its final zero. */
export function cString(text: string): Buffer {
  return Buffer.from(`${text}\0`);
}

/** The string in an attribute, without its final zero. */
export function readCString(bytes: Buffer | undefined): string {
  return bytes?.toString('utf8').replace(/\0+$/, '') ?? '';
}

/** One element of DER: its tag, and what it holds (X.690). */
export interface DerElement {
  tag: number;
  content: Buffer;
}

/** The elements that stand behind each other. Throws `RangeError` for one that ends behind the bytes. */
export function derElements(bytes: Buffer): DerElement[] {
  const elements: DerElement[] = [];
  for (let at = 0; at < bytes.length; ) {
    const tag = bytes.readUInt8(at);
    const first = bytes.readUInt8(at + 1);
    const lengthBytes = first < 0x80 ? 0 : first & 0x7f;
    const start = at + 2 + lengthBytes;
    const length = lengthBytes === 0 ? first : bytes.readUIntBE(at + 2, lengthBytes);
    if (start + length > bytes.length) throw new RangeError('truncated');
    elements.push({ tag, content: bytes.subarray(start, start + length) });
    at = start + length;
  }
  return elements;
}

/** The elements within the only one there is. */
export const derChildren = (bytes: Buffer): DerElement[] =>
  derElements(derElements(bytes)[0]?.content ?? Buffer.alloc(0));

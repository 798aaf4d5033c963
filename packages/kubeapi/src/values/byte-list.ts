import { type JsonValue, jsonKind } from '../json/json-value.ts';

const byteMax = 255;

/** What a list of bytes says: base64, or the first item that is no byte. */
export type ByteListAnswer = { base64: string } | { odd: JsonValue };

/**
 * Bytes as a list of numbers, which Go's decoder takes for them beside base64, and by which serializers such as Rust's serde
 * write them. null stands for 0.
 */
export function readByteList(list: readonly JsonValue[]): ByteListAnswer {
  const odd = list.find((item) => item !== null && !isByte(item));
  if (odd !== undefined) return { odd };
  return {
    base64: Buffer.from(list.map((item) => (typeof item === 'number' ? item : 0))).toString('base64'),
  };
}

const isByte = (item: JsonValue) =>
  typeof item === 'number' && Number.isInteger(item) && item >= 0 && item <= byteMax;

/** What Go's decoder calls an item that is no byte. */
export const oddByteKind = (item: JsonValue) =>
  typeof item === 'number' ? `number ${item}` : jsonKind(item);

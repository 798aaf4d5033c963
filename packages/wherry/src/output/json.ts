import { ownValue } from '@wherry/kubeapi';

/** JSON of protobuf messages: 64-bit numbers become strings, bytes base64, as protobuf's JSON mapping has it. */
export function toJson(value: unknown, indent = 2): string {
  return JSON.stringify(value, replace, indent);
}

/** A Buffer comes here as what its `toJSON` made of it; the object that holds it still has the bytes. */
function replace(this: unknown, key: string, value: unknown): unknown {
  if (typeof value === 'bigint') return value.toString();
  const original = ownValue(this as Record<string, unknown>, key);
  if (original instanceof Uint8Array) return Buffer.from(original).toString('base64');
  return value;
}

/** A copy of what JSON can say, with the keys in their order, as Go writes a map. */
export function sortedKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortedKeys);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1));
  return Object.fromEntries(entries.map(([key, part]) => [key, sortedKeys(part)]));
}

/** JSON as Go writes a map: keys in their order, and what could be markup escaped; in lines with `indent`. */
export const goJson = (value: unknown, indent?: number): string =>
  JSON.stringify(sortedKeys(value), undefined, indent).replace(
    /[<>&\u2028\u2029]/g,
    (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );

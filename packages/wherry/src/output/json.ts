import { exactJson, ownValue } from '@wherry/kubeapi';

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

/** The parts of an object in their order, and those of a map as Go sorts them where JavaScript does not keep an order: it has `2` before `10`. */
export function entriesOf(value: object): [key: string, part: unknown][] {
  const entries = Object.entries(value);
  const isMap = /^\d+$/.test(entries[0]?.[0] ?? '');
  return isMap ? entries.sort(([one], [other]) => (one < other ? -1 : 1)) : entries;
}

/** JSON as Go writes it, in lines, with what could be markup escaped. Takes what JSON can say. */
export const goLines = (value: unknown): string => goEscaped(linesOf(value, '\n'));

const step = '    ';

function linesOf(value: unknown, line: string): string {
  if (typeof value !== 'object' || value === null) return exactJson(value);
  const inner = `${line}${step}`;
  if (Array.isArray(value))
    return value.length === 0
      ? '[]'
      : `[${inner}${value.map((item) => linesOf(item, inner)).join(`,${inner}`)}${line}]`;
  const parts = entriesOf(value).map(([key, part]) => `${JSON.stringify(key)}: ${linesOf(part, inner)}`);
  return parts.length === 0 ? '{}' : `{${inner}${parts.join(`,${inner}`)}${line}}`;
}

/** JSON as Go writes a map: keys in their order, and what could be markup escaped; in lines with `indent`. */
export const goJson = (value: unknown, indent?: number): string =>
  goEscaped(exactJson(sortedKeys(value), indent));

/** JSON with what could be markup escaped, as Go writes it. */
export const goEscaped = (json: string): string =>
  json.replace(/[<>&\u2028\u2029]/g, (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`);

/** JSON as Go's encoding/json writes it, for texts that stand inside of objects, or are hashed. */
import { exactJson } from './exact-json.ts';
import { isJsonObject, type JsonObject, type JsonValue, ownValue } from './json-value.ts';

const goEscapes: Record<string, string> = {
  '<': '\\u003c',
  '>': '\\u003e',
  '&': '\\u0026',
  '\u2028': '\\u2028',
  '\u2029': '\\u2029',
};

/** The text of a value whose fields stand in their order of declaration. */
export function goJson(value: unknown): string {
  return exactJson(value).replace(
    /[<>&\u2028\u2029]/g,
    (character) => ownValue(goEscapes, character) ?? character,
  );
}

/** The text of a value that Go holds in maps: fields stand in the order of their names. */
export const goMapJson = (value: JsonValue): string => goJson(withSortedKeys(value));

/** The value as Go holds it in maps: fields stand in the order of their names. */
export function withSortedKeys(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map(withSortedKeys);
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(sortedEntries(value).map(([key, part]) => [key, withSortedKeys(part)]));
}

const sortedEntries = (value: JsonObject) =>
  Object.entries(value).sort(([left], [right]) => (left < right ? -1 : 1));

/** The same value as Go's `%v` writes what its decoder made of it: `map[a:[1 2] b:<nil>]`. */
export function goText(value: JsonValue): string {
  if (value === null) return '<nil>';
  if (Array.isArray(value)) return `[${value.map(goText).join(' ')}]`;
  if (typeof value !== 'object') return String(value);
  return `map[${sortedEntries(value)
    .map(([key, part]) => `${key}:${goText(part)}`)
    .join(' ')}]`;
}

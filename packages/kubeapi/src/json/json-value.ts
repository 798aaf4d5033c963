/** The shape that objects have in memory: their JSON form. */

/** Anything JSON can say; whole numbers that a double can't hold are `bigint` (see {@link parseExactJson}). */
export type JsonValue =
  | string
  | number
  | bigint
  | boolean
  | null
  | JsonValue[]
  | { [key: string]: JsonValue };

/** A JSON object whose fields are not known beforehand. */
export type JsonObject = Record<string, JsonValue>;

/** What says which kind an object is. */
export interface TypeMeta {
  /** `v1`, `apps/v1`, … */
  apiVersion?: string;
  kind?: string;
}

/** True for what JSON writes with braces: not null, not an array. */
export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** True for what JSON writes in digits. */
export const isNumber = (value: unknown): value is number | bigint =>
  typeof value === 'number' || typeof value === 'bigint';

/** True for a number that has no fraction. */
export const isWhole = (value: number | bigint): boolean =>
  typeof value === 'bigint' || Number.isInteger(value);

/**
 * What stands under a key that may come from anywhere, or undefined: `constructor` and the like are in every object,
 * and are not found here.
 */
export function ownValue<T>(object: Readonly<Record<string, T>> | undefined, key: string): T | undefined {
  return object !== undefined && Object.hasOwn(object, key) ? object[key] : undefined;
}

/** Sets a key that may come from a client: `__proto__` becomes a plain key too. */
export function setOwn<T>(object: Record<string, T>, key: string, value: NoInfer<T>): void {
  if (key !== '__proto__') object[key] = value;
  else Object.defineProperty(object, key, { value, enumerable: true, configurable: true, writable: true });
}

/** A copy that shares nothing; `structuredClone` of what JSON can say, in a fraction of its time. */
export function copyJson<T>(value: T): T {
  if (Array.isArray(value)) return value.map(copyJson) as T;
  if (typeof value !== 'object' || value === null) return value;
  const copy: Record<string, unknown> = {};
  for (const [key, part] of Object.entries(value)) setOwn(copy, key, copyJson(part));
  return copy as T;
}

/** Equality by content; the order of keys does not count. */
export function jsonEqual(left: JsonValue | undefined, right: JsonValue | undefined): boolean {
  if (left === right) return true;
  if (Array.isArray(left)) {
    return (
      Array.isArray(right) &&
      left.length === right.length &&
      left.every((item, at) => jsonEqual(item, right[at]))
    );
  }
  if (!isJsonObject(left) || !isJsonObject(right)) return false;
  const keys = Object.keys(left);
  return (
    keys.length === Object.keys(right).length &&
    keys.every((key) => Object.hasOwn(right, key) && jsonEqual(ownValue(left, key), right[key]))
  );
}

/** What Go's decoder calls a value of JSON that it can't use. */
export function jsonKind(value: JsonValue | undefined): string {
  if (Array.isArray(value)) return 'array';
  if (typeof value === 'object') return 'object';
  if (typeof value === 'boolean') return 'bool';
  return isNumber(value) ? 'number' : typeof value;
}

/** What Go's decoder says of a value of JSON that is none of a type. */
export const notOfGoType = (value: JsonValue, type: string): string =>
  `json: cannot unmarshal ${jsonKind(value)} into Go value of type ${type}`;

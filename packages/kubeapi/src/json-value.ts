/** The shape that objects have in memory: their JSON form. */

/** Anything JSON can say. */
export type JsonValue = string | number | boolean | null | JsonValue[] | { [key: string]: JsonValue };

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

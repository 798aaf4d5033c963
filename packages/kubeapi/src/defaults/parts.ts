/** Parts of objects that may be absent. */
import { isJsonObject, type JsonObject, type JsonValue } from '../json/json-value.ts';

/** The objects of a list; none when there is no list. */
export const items = (value: JsonValue | undefined): JsonObject[] =>
  Array.isArray(value) ? value.filter(isJsonObject) : [];
/** The object, or an empty one that belongs to nothing. */
export const object = (value: JsonValue | undefined): JsonObject => (isJsonObject(value) ? value : {});

/** Values that are a schema, or something else: how JSON has them, and the message that protobuf makes of them. */
import { isJsonObject, type JsonObject, type JsonValue, ownValue } from '../json/json-value.ts';
import type { Alternative } from './schema.ts';

/** True for what JSON may have in place of a schema. */
export function isAlternative(value: JsonValue, alternative: Alternative): value is boolean | JsonValue[] {
  if (alternative === 'bool') return typeof value === 'boolean';
  if (!Array.isArray(value)) return false;
  return alternative === 'list' || value.every((item) => typeof item === 'string');
}

/** The message of a value, with a place for each of the two. */
export function messageOfAlternative(value: JsonValue, alternative: Alternative): JsonObject {
  if (isJsonObject(value))
    return alternative === 'bool' ? { allows: true, schema: value } : { schema: value };
  if (alternative === 'bool') return { allows: value };
  return alternative === 'list' ? { jSONSchemas: value } : { property: value };
}

/** The value of a message. */
export function alternativeOfMessage(message: JsonObject, alternative: Alternative): JsonValue {
  const schema = ownValue(message, 'schema');
  if (alternative === 'bool') return schema ?? ownValue(message, 'allows') === true;
  return ownValue(message, alternative === 'list' ? 'jSONSchemas' : 'property') ?? schema ?? [];
}

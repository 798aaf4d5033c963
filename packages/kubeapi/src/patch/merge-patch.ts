/** JSON merge patch (RFC 7386): nulls delete, objects merge, everything else replaces. */
import { isJsonObject, type JsonObject, type JsonValue, ownValue, setOwn } from '../json/json-value.ts';

/** The patched value; neither input is changed, unchanged parts are shared. */
export function applyMergePatch(target: JsonValue | undefined, patch: JsonValue): JsonValue {
  if (!isJsonObject(patch)) return patch;
  const result: JsonObject = isJsonObject(target) ? { ...target } : {};
  for (const [key, value] of Object.entries(patch)) {
    if (value === null) delete result[key];
    else setOwn(result, key, applyMergePatch(ownValue(result, key), value));
  }
  return result;
}

/** The smallest merge patch that turns `before` into `after`; an empty object when they are equal. */
export function createMergePatch(before: JsonObject, after: JsonObject): JsonObject {
  const patch: JsonObject = {};
  for (const key of Object.keys(before)) if (!Object.hasOwn(after, key)) setOwn(patch, key, null);
  for (const [key, value] of Object.entries(after)) {
    const previous = ownValue(before, key);
    if (!isJsonObject(previous) || !isJsonObject(value)) {
      if (previous === undefined || JSON.stringify(previous) !== JSON.stringify(value))
        setOwn(patch, key, value);
      continue;
    }
    const inner = createMergePatch(previous, value);
    if (Object.keys(inner).length > 0) setOwn(patch, key, inner);
  }
  return patch;
}

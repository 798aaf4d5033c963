/**
 * JSON merge patch (RFC 7386): nulls delete, objects merge, everything else replaces. As with upstream's library, objects in
 * lists lose their nulls, too, but where the list takes an object's place.
 */
import {
  isJsonObject,
  type JsonObject,
  type JsonValue,
  jsonEqual,
  ownValue,
  setOwn,
} from '../json/json-value.ts';

/** The patched value; neither input is changed, unchanged parts are shared. */
export function applyMergePatch(target: JsonValue | undefined, patch: JsonValue): JsonValue {
  if (!isJsonObject(patch)) return isJsonObject(target) ? patch : withoutNullFields(patch);
  const result: JsonObject = isJsonObject(target) ? { ...target } : {};
  for (const [key, value] of Object.entries(patch)) {
    if (value === null) delete result[key];
    else setOwn(result, key, applyMergePatch(ownValue(result, key), value));
  }
  return result;
}

function withoutNullFields(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map(withoutNullFields);
  return isJsonObject(value) ? applyMergePatch(undefined, value) : value;
}

/** The smallest merge patch that turns `before` into `after`; an empty object when they are equal. */
export function createMergePatch(before: JsonObject, after: JsonObject): JsonObject {
  const patch: JsonObject = {};
  for (const key of Object.keys(before)) if (!Object.hasOwn(after, key)) setOwn(patch, key, null);
  for (const [key, value] of Object.entries(after)) {
    const previous = ownValue(before, key);
    if (!isJsonObject(previous) || !isJsonObject(value)) {
      if (!jsonEqual(previous, value)) setOwn(patch, key, value);
      continue;
    }
    const inner = createMergePatch(previous, value);
    if (Object.keys(inner).length > 0) setOwn(patch, key, inner);
  }
  return patch;
}

/** What somebody wanted last, what he wants now, and what there is. */
export interface ThreeStates {
  original: JsonObject;
  modified: JsonObject;
  current: JsonObject;
}

/**
 * The merge patch that makes `current` hold all of `modified`, and takes away what was in `original` and is there no longer; what
 * others have added stays (apimachinery pkg/util/jsonmergepatch).
 */
export function createThreeWayMergePatch({ original, modified, current }: ThreeStates): JsonObject {
  const additions = withNulls(createMergePatch(current, modified), false);
  return applyMergePatch(withNulls(createMergePatch(original, modified), true), additions) as JsonObject;
}

/** The deletions of a patch alone, or all but them. */
function withNulls(patch: JsonObject, areKept: boolean): JsonObject {
  const kept: JsonObject = {};
  for (const [key, value] of Object.entries(patch)) {
    if (isJsonObject(value) && Object.keys(value).length > 0) {
      const inner = withNulls(value, areKept);
      if (Object.keys(inner).length > 0) setOwn(kept, key, inner);
    } else if ((value === null) === areKept) setOwn(kept, key, value);
  }
  return kept;
}

/** Where two strategic merge patches of one object contradict each other (apimachinery pkg/util/strategicpatch: MergingMapsHaveConflicts). */
import { exactJson } from '../json/exact-json.ts';
import { isJsonObject, type JsonObject, type JsonValue, jsonEqual, ownValue } from '../json/json-value.ts';
import type { FieldSchema, MessageSchema } from '../schema/schema.ts';
import { fieldOf, itemSchema } from './strategic-patch.ts';

const directive = '$patch';

/** The path of the first field that both patches change, and not to the same; undefined where there is none. */
export function strategicConflict(
  one: JsonObject,
  other: JsonObject,
  schema: MessageSchema | undefined,
): string | undefined {
  if (ownValue(one, directive) !== ownValue(other, directive)) return '.';
  for (const [key, value] of Object.entries(one)) {
    const theirs = ownValue(other, key);
    // Orders and deletions of plain items contradict nothing.
    if (key.startsWith('$') || theirs === undefined) continue;
    const inner = conflictOf(value, theirs, fieldOf(key, schema));
    if (inner !== undefined) return `.${key}${inner === '.' ? '' : inner}`;
  }
  return undefined;
}

function conflictOf(one: JsonValue, other: JsonValue, field: FieldSchema | undefined): string | undefined {
  const strategies = field?.patchStrategies ?? [];
  if (isJsonObject(one) && isJsonObject(other)) {
    if (strategies.includes('replace')) return undefined;
    return strategicConflict(one, other, field?.shape === 'map' ? undefined : itemSchema(field));
  }
  if (Array.isArray(one) && Array.isArray(other) && strategies.includes('merge'))
    return conflictOfItems(one, other, field);
  return jsonEqual(one, other) ? undefined : '.';
}

/** Items of the same key contradict each other as objects do; plain ones never do. */
function conflictOfItems(
  one: readonly JsonValue[],
  other: readonly JsonValue[],
  field: FieldSchema | undefined,
): string | undefined {
  const mergeKey = field?.patchMergeKey ?? '';
  for (const item of one.filter(isJsonObject)) {
    const key = ownValue(item, mergeKey);
    const theirs = other.filter(isJsonObject).find((candidate) => ownValue(candidate, mergeKey) === key);
    const inner = theirs && strategicConflict(item, theirs, itemSchema(field));
    if (inner !== undefined) return `[${mergeKey}=${exactJson(key)}]${inner === '.' ? '' : inner}`;
  }
  return undefined;
}

/** Strategic patches joined into one (apimachinery pkg/util/strategicpatch: mergeMap, as CreateThreeWayMergePatch calls it). */
import { isJsonObject, type JsonObject, type JsonValue, ownValue, setOwn } from '../json/json-value.ts';
import type { MessageSchema } from '../schema/schema.ts';
import { mergeKeyedOrder, mergeList } from './strategic-list.ts';
import { fieldOf, itemSchema, listPatch, orderPrefix, retainKeys } from './strategic-patch.ts';

/** One patch that does what both do. Both are made towards the same object, so that they name the same orders and keys. */
export function mergePatches(
  deletions: JsonObject,
  additions: JsonObject,
  schema: MessageSchema | undefined,
): JsonObject {
  const merged: JsonObject = { ...deletions };
  for (const [key, value] of Object.entries(additions)) {
    const isDirective = key === retainKeys || key.startsWith(orderPrefix);
    const joined = isDirective
      ? value
      : mergeValue(ownValue(deletions, key), value, { key, schema, additions });
    if (joined !== undefined) setOwn(merged, key, joined);
    else delete merged[key];
  }
  return merged;
}

/** What a state says by directives is nothing to add: it says what is to be done with something else. */
function withoutInstructed(value: JsonValue): JsonValue | undefined {
  if (Array.isArray(value)) return value.map(withoutInstructed).filter((item) => item !== undefined);
  if (!isJsonObject(value)) return value;
  if (Object.hasOwn(value, '$patch')) return undefined;
  const kept: JsonObject = {};
  for (const [key, item] of Object.entries(value)) {
    const left = withoutInstructed(item);
    if (left !== undefined) setOwn(kept, key, left);
  }
  return kept;
}

interface Place {
  key: string;
  schema: MessageSchema | undefined;
  additions: JsonObject;
}

function mergeValue(
  before: JsonValue | undefined,
  value: JsonValue,
  { key, schema, additions }: Place,
): JsonValue | undefined {
  const field = fieldOf(key, schema);
  if (Array.isArray(before) && Array.isArray(value)) {
    const list = {
      ...listPatch(key, value, schema),
      mergeItem: (one: JsonObject, other: JsonObject) => mergePatches(one, other, itemSchema(field)),
    };
    const order = ownValue(additions, `${orderPrefix}/${key}`);
    return Array.isArray(order)
      ? mergeKeyedOrder(before, { ...list, hasPatch: true }, order)
      : mergeList(before, list);
  }
  const isMerged = isJsonObject(before) && isJsonObject(value) && !field?.patchStrategies.includes('replace');
  if (!isMerged) return withoutInstructed(value);
  return mergePatches(before, value, field?.shape === 'map' ? undefined : itemSchema(field));
}

/**
 * Strategic merge patch: a merge patch that knows which lists merge by key. Directives: `$patch`, `$retainKeys`,
 * `$deleteFromPrimitiveList/FIELD`, `$setElementOrder/FIELD` (apimachinery pkg/util/strategicpatch).
 */
import { goText } from '../json/go-json.ts';
import { isJsonObject, type JsonObject, type JsonValue, ownValue, setOwn } from '../json/json-value.ts';
import { type FieldSchema, type MessageSchema, messageSchema } from '../schema/schema.ts';
import { PatchError } from './patch-error.ts';
import { type ListPatch, mergeKeyedOrder, mergeList } from './strategic-list.ts';

const directive = '$patch';
/** Directives of a patch; the prefixes stand in front of the name of a list. */
export const retainKeys = '$retainKeys';
export const deletePrefix = '$deleteFromPrimitiveList';
export const orderPrefix = '$setElementOrder';

/** The patched object; inputs are not changed. `schema` undefined merges like RFC 7386. Throws {@link PatchError}. */
export function applyStrategicPatch(
  original: JsonObject,
  patch: JsonObject,
  schema: MessageSchema | undefined,
): JsonObject {
  return mergeObject(original, patch, schema);
}

/** Merges one object of the patch into one of the original. */
function mergeObject(
  original: JsonObject | undefined,
  patch: JsonObject,
  schema: MessageSchema | undefined,
): JsonObject {
  const instruction = patch[directive];
  if (instruction !== undefined) return replaceOrDelete(instruction, patch);
  const result: JsonObject = { ...original };
  const rest = new Map(Object.entries(patch));
  applyRetainKeys(result, rest);
  applyElementOrders(result, rest, schema);
  for (const [key, value] of rest) applyField(result, key, value, schema);
  return result;
}

function replaceOrDelete(instruction: JsonValue, patch: JsonObject): JsonObject {
  if (instruction === 'delete') return {};
  if (instruction !== 'replace') {
    throw new PatchError('rejected', `unknown patch type: ${goText(instruction)} in map: ${goText(patch)}`);
  }
  const { [directive]: _, ...replacement } = patch;
  return replacement;
}

/** Drops what the list does not name, and the directive itself. */
function applyRetainKeys(result: JsonObject, rest: Map<string, JsonValue>): void {
  const kept = rest.get(retainKeys);
  if (kept === undefined) return;
  rest.delete(retainKeys);
  const malformed = new PatchError('rejected', 'invalid patch format of retainKeys');
  if (!Array.isArray(kept)) throw malformed;
  const names = new Set<JsonValue>(kept);
  for (const [key, value] of rest) {
    const isDirective = key.startsWith(deletePrefix) || key.startsWith(orderPrefix);
    if (value !== null && !isDirective && !names.has(key)) throw malformed;
  }
  for (const key of Object.keys(result)) if (!names.has(key)) delete result[key];
}

/** The field of a message that a key names. */
export function fieldOf(key: string, schema: MessageSchema | undefined): FieldSchema | undefined {
  return schema?.jsonFields.get(key);
}

/** The message that a field, or each item of a list, is. */
export function itemSchema(field: FieldSchema | undefined): MessageSchema | undefined {
  return field?.message === undefined ? undefined : messageSchema(field.message);
}

/** A list of a patch with what the schema says of it. */
export function listPatch(key: string, patch: JsonValue[], schema: MessageSchema | undefined): ListPatch {
  const field = fieldOf(key, schema);
  return {
    name: key,
    patch,
    mergeKey: field?.patchMergeKey ?? '',
    isMerging: field?.patchStrategies.includes('merge') ?? false,
    mergeItem: (before, after) => mergeObject(before, after, itemSchema(field)),
  };
}

/** Merges each list that has an order directive beside it, then puts it into that order. */
function applyElementOrders(
  result: JsonObject,
  rest: Map<string, JsonValue>,
  schema: MessageSchema | undefined,
): void {
  for (const [key, order] of [...rest]) {
    if (!key.startsWith(orderPrefix)) continue;
    rest.delete(key);
    const name = directiveField(key, orderPrefix);
    const patch = rest.get(name);
    if (!Array.isArray(order)) throw new PatchError('rejected', malformedDirective(orderPrefix));
    const original = ownValue(result, name);
    if (!isListOrAbsent(original) || !isListOrAbsent(patch)) {
      throw new PatchError('rejected', `"${name}" must be a list to be ordered`);
    }
    rest.delete(name);
    if (original === undefined && patch === undefined) continue;
    const merged = mergeKeyedOrder(
      original,
      { ...listPatch(name, patch ?? [], schema), hasPatch: patch !== undefined },
      order,
    );
    setOwn(result, name, merged);
  }
}

const isListOrAbsent = (value: JsonValue | undefined): value is JsonValue[] | undefined =>
  value === undefined || Array.isArray(value);

const malformedDirective = (prefix: string): string =>
  `invalid patch format of ${prefix === orderPrefix ? 'setElementOrder' : 'primitive'} list`;

function directiveField(key: string, prefix: string): string {
  const slash = key.indexOf('/');
  if (slash !== prefix.length) throw new PatchError('rejected', malformedDirective(prefix));
  return key.slice(slash + 1);
}

function applyField(
  result: JsonObject,
  key: string,
  value: JsonValue,
  schema: MessageSchema | undefined,
): void {
  if (key.startsWith(deletePrefix)) {
    deleteFromList(result, directiveField(key, deletePrefix), value);
    return;
  }
  if (value === null) {
    delete result[key];
    return;
  }
  const before = ownValue(result, key);
  const field = fieldOf(key, schema);
  if (isJsonObject(before) && isJsonObject(value)) {
    const isReplaced = field?.patchStrategies.includes('replace') ?? false;
    const inner = field?.shape === 'map' ? undefined : itemSchema(field);
    setOwn(result, key, isReplaced ? value : mergeObject(before, value, inner));
  } else if (Array.isArray(before) && Array.isArray(value)) {
    setOwn(result, key, mergeList(before, listPatch(key, value, schema)));
  } else setWithoutDirectives(result, key, value);
}

function setWithoutDirectives(result: JsonObject, key: string, value: JsonValue): void {
  const clean = withoutDirectives(value);
  if (clean === undefined) delete result[key];
  else setOwn(result, key, clean);
}

/** A part of the patch as a value: no nulls, nothing that carries a directive. Undefined when nothing is left. */
function withoutDirectives(value: JsonValue): JsonValue | undefined {
  if (Array.isArray(value)) return value.map(withoutDirectives).filter((item) => item !== undefined);
  if (!isJsonObject(value)) return value;
  if ((ownValue(value, directive) ?? null) !== null) return undefined;
  const kept = Object.entries(value)
    .filter(([, item]) => item !== null)
    .map(([key, item]): [string, JsonValue | undefined] => [key, withoutDirectives(item)])
    .filter((entry): entry is [string, JsonValue] => entry[1] !== undefined);
  return Object.fromEntries(kept);
}

function deleteFromList(result: JsonObject, name: string, values: JsonValue): void {
  const before = ownValue(result, name);
  if (!Array.isArray(before) || !Array.isArray(values)) return;
  const gone = new Set<JsonValue>(values);
  setOwn(
    result,
    name,
    before.filter((item) => !gone.has(item)),
  );
}

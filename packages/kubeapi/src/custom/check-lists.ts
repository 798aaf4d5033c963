/** Lists that are sets or maps have each value or key once (upstream: apiserver/schema/listtype). */

import { exactJson } from '../json/exact-json.ts';
import { isJsonObject, type JsonObject, type JsonValue, ownValue, setOwn } from '../json/json-value.ts';
import { at, child, duplicate, type FieldError, invalidValue } from '../status/field-error.ts';
import type { StructuralSchema } from './structural-schema.ts';

/** Violations in the fields of an object and all that is in them. */
export function checkLists(object: JsonObject, schema: StructuralSchema, path = ''): FieldError[] {
  const { additional, properties } = schema;
  return Object.entries(object).flatMap(([name, value]) => [
    ...(typeof additional === 'object' ? checkPart(value, additional, at(path, name)) : []),
    ...(properties.has(name) ? checkPart(value, properties.get(name)!, child(path, name)) : []),
  ]);
}

function checkPart(value: JsonValue, schema: StructuralSchema, path: string): FieldError[] {
  if (isJsonObject(value)) return checkLists(value, schema, path);
  if (!Array.isArray(value)) return [];
  const { items } = schema;
  return [
    ...checkOnce(value, schema, path),
    ...(items ? value.flatMap((item, index) => checkPart(item, items, at(path, index))) : []),
  ];
}

function checkOnce(
  list: JsonValue[],
  { listType, listMapKeys }: StructuralSchema,
  path: string,
): FieldError[] {
  if (listType === 'atomic') return [];
  if (listType === 'set') return repeated(list).map((index) => duplicate(at(path, index), list[index]!));
  const stray = list.findIndex((item) => item !== null && !isJsonObject(item));
  if (stray >= 0) {
    const detail = 'must be an object for an array of list-type map';
    return [invalidValue(at(path, stray), list[stray], detail)];
  }
  const keys = list.map((item) => keyOf(item, listMapKeys));
  return repeated(keys).map((index) => duplicate(at(path, index), keys[index]!));
}

function keyOf(item: JsonValue, names: readonly string[]): JsonObject {
  const key: JsonObject = {};
  for (const name of names.toSorted()) {
    const value = isJsonObject(item) ? ownValue(item, name) : undefined;
    if (value !== undefined) setOwn(key, name, value);
  }
  return key;
}

/** Where a value stands for the second time. */
function repeated(values: readonly JsonValue[]): number[] {
  const times = new Map<string, number>();
  return values.flatMap((value, index) => {
    const text = exactJson(sortedKeys(value));
    const before = times.get(text) ?? 0;
    times.set(text, before + 1);
    return before === 1 ? [index] : [];
  });
}

function sortedKeys(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map(sortedKeys);
  if (!isJsonObject(value)) return value;
  const entries = Object.entries(value).sort(([left], [right]) => (left < right ? -1 : 1));
  return Object.fromEntries(entries.map(([key, part]) => [key, sortedKeys(part)]));
}

/** Fills in what a schema says that absent fields mean (upstream: apiserver/schema/defaulting). */
import { isJsonObject, type JsonObject, type JsonValue, ownValue, setOwn } from '../json/json-value.ts';
import { type StructuralSchema, schemaOfProperty } from './structural-schema.ts';

/**
 * Drops nulls where there may be none, and fills in defaults, in place. What was applied keeps such nulls but those that a
 * default replaces: who applies them is refused.
 */
export function applySchemaDefaults(object: JsonObject, schema: StructuralSchema, isApplied = false): void {
  if (!isApplied) dropNulls(object, schema);
  fillIn(object, schema);
}

function isForbiddenNull(value: JsonValue | undefined, schema: StructuralSchema | undefined): boolean {
  return value === null && schema !== undefined && !schema.isNullable;
}

/** Nulls that have a default stay, to be replaced by it. */
function dropNulls(value: JsonValue, schema: StructuralSchema | undefined): void {
  if (Array.isArray(value)) for (const item of value) dropNulls(item, schema?.items);
  else if (isJsonObject(value)) {
    for (const [name, inner] of Object.entries(value)) {
      const of = schemaOfProperty(schema, name);
      if (isForbiddenNull(inner, of) && of?.defaultValue === undefined) delete value[name];
      else dropNulls(inner, of);
    }
  }
}

function fillIn(value: JsonValue, schema: StructuralSchema | undefined): void {
  if (!schema) return;
  if (Array.isArray(value)) fillInItems(value, schema.items);
  else if (isJsonObject(value)) fillInFields(value, schema);
}

function fillInItems(list: JsonValue[], items: StructuralSchema | undefined): void {
  for (const [index, item] of list.entries()) {
    if (isForbiddenNull(item, items)) list[index] = structuredClone(items?.defaultValue ?? null);
    fillIn(list[index]!, items);
  }
}

function fillInFields(object: JsonObject, schema: StructuralSchema): void {
  for (const [name, { defaultValue, isNullable }] of schema.properties) {
    if (defaultValue === undefined) continue;
    const present = ownValue(object, name);
    if (present === undefined || (present === null && !isNullable))
      setOwn(object, name, structuredClone(defaultValue));
  }
  for (const [name, value] of Object.entries(object)) {
    const of = schemaOfProperty(schema, name);
    if (!schema.properties.has(name) && isForbiddenNull(value, of))
      setOwn(object, name, structuredClone(of?.defaultValue ?? null));
    fillIn(ownValue(object, name)!, of);
  }
}

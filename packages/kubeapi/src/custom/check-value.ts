/** Holds values to the words of a schema, with upstream's complaints (kube-openapi: pkg/validation/validate). */

import { isJsonObject, type JsonObject, type JsonValue, jsonEqual, ownValue } from '../json/json-value.ts';
import { fieldComplaintsMax } from '../limits.ts';
import { type FieldError, invalidValue, notSupported, required } from '../status/field-error.ts';
import { checkLeaf } from './check-leaf.ts';
import type { StructuralSchema } from './structural-schema.ts';

/**
 * Violations in a value that stands at `path`; many more than {@link fieldComplaintsMax} are not looked for. What is as
 * it was in `previous` is let be: a schema that has become stricter must not stand in the way of other changes
 * (upstream: ratcheting).
 */
export function checkValue(
  value: JsonValue,
  schema: StructuralSchema,
  path: string,
  previous?: JsonValue,
): FieldError[] {
  const errors: FieldError[] = [];
  checkInto(value, schema, path, errors, previous);
  return errors;
}

function checkInto(
  value: JsonValue,
  schema: StructuralSchema,
  path: string,
  errors: FieldError[],
  previous: JsonValue | undefined,
): void {
  if (errors.length >= fieldComplaintsMax) return;
  if (previous !== undefined && jsonEqual(value, previous)) return;
  errors.push(...checkType(value, schema, path));
  if (value !== null) {
    checkJunctions(value, schema, path, errors);
    errors.push(...checkLeaf(value, schema, path));
    if (Array.isArray(value)) checkList(value, schema, path, errors, previous);
  }
  errors.push(...checkEnum(value, schema, path));
  if (isJsonObject(value)) checkObject(value, schema, path, errors, previous);
}

/** JSON's name of what a value is. */
function typeOf(value: JsonValue): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  if (typeof value === 'number') return Number.isInteger(value) ? 'integer' : 'number';
  return typeof value;
}

function checkType(
  value: JsonValue,
  { types, isNullable, format }: StructuralSchema,
  path: string,
): FieldError[] {
  if (types.length === 0 || (value === null && isNullable)) return [];
  const type = typeOf(value);
  if (types.includes(type) || (type === 'integer' && types.includes('number'))) return [];
  // As upstream: where a text of some format is expected a list passes too.
  const isNumeric = types.includes('number') || types.includes('integer');
  if (type === 'array' && format !== undefined && !isNumeric) return [];
  return [typeInvalid(path, type, types.join(','))];
}

/** `Invalid value: "string": PATH in body must be of type integer: "string"`. */
export function typeInvalid(path: string, value: string, expected: string): FieldError {
  const detail = `${path} in body must be of type ${expected}: ${JSON.stringify(value)}`;
  return { ...invalidValue(path, value, detail), type: 'FieldValueTypeInvalid' };
}

function checkEnum(value: JsonValue, { words }: StructuralSchema, path: string): FieldError[] {
  const values = words.enum ?? [];
  if (values.length === 0 || (value !== null && values.some((allowed) => jsonEqual(value, allowed))))
    return [];
  const texts = values.map((allowed) => (typeof allowed === 'string' ? allowed : JSON.stringify(allowed)));
  return [notSupported(path, value, texts)];
}

function checkList(
  list: JsonValue[],
  schema: StructuralSchema,
  path: string,
  errors: FieldError[],
  previous: JsonValue | undefined,
): void {
  const { items } = schema;
  if (!items) return;
  const before = new Map<string, JsonValue>();
  if (schema.listType === 'map' && Array.isArray(previous))
    for (const item of previous) before.set(keyText(item, schema), item);
  for (const [index, item] of list.entries())
    checkInto(item, items, `${path}[${index}]`, errors, before.get(keyText(item, schema)));
}

/** What names an item of a list that is a map. */
function keyText(item: JsonValue, { listMapKeys }: StructuralSchema): string {
  return JSON.stringify(
    listMapKeys.map((name) => (isJsonObject(item) ? (ownValue(item, name) ?? null) : null)),
  );
}

function checkObject(
  object: JsonObject,
  schema: StructuralSchema,
  path: string,
  errors: FieldError[],
  previous: JsonValue | undefined,
): void {
  const { additional, properties, words } = schema;
  const placeOf = (name: string) => (path === '' ? name : `${path}.${name}`);
  for (const [name, value] of Object.entries(object)) {
    const of = properties.get(name) ?? additional;
    const before = isJsonObject(previous) ? ownValue(previous, name) : undefined;
    if (typeof of === 'object') checkInto(value, of, placeOf(name), errors, before);
    else if (of === false)
      errors.push(invalidValue(path, '', `${path}.${name} in body is a forbidden property`));
  }
  for (const name of words.required ?? []) {
    if (ownValue(object, name) === undefined) errors.push(required(placeOf(name)));
  }
}

/** Says of a whole what does not hold; such complaints have no place of their own upstream. */
const ofWhole = (detail: string): FieldError => invalidValue('<nil>', '', detail);

function checkJunctions(
  value: JsonValue,
  schema: StructuralSchema,
  path: string,
  errors: FieldError[],
): void {
  const { allOf, anyOf, oneOf, not } = schema;
  const name = JSON.stringify(path);
  const checkAll = (schemas: readonly StructuralSchema[]) =>
    schemas.map((alternative) => checkValue(value, alternative, path));
  if (anyOf.length > 0) {
    const found = checkAll(anyOf);
    if (found.every((complaints) => complaints.length > 0)) {
      errors.push(ofWhole(`${name} must validate at least one schema (anyOf)`), ...fewest(found));
    }
  }
  if (oneOf.length > 0) {
    const found = checkAll(oneOf);
    const validated = found.filter((complaints) => complaints.length === 0).length;
    if (validated !== 1) {
      const how = validated === 0 ? 'Found none valid' : `Found ${validated} valid alternatives`;
      errors.push(ofWhole(`${name} must validate one and only one schema (oneOf). ${how}`));
      if (validated === 0) errors.push(...fewest(found));
    }
  }
  if (allOf.length > 0) {
    const found = checkAll(allOf);
    const validated = found.filter((complaints) => complaints.length === 0).length;
    errors.push(...found.flat());
    if (validated < allOf.length) {
      const how = validated === 0 ? '. None validated' : '';
      errors.push(ofWhole(`${name} must validate all the schemas (allOf)${how}`));
    }
  }
  if (not && checkValue(value, not, path).length === 0)
    errors.push(ofWhole(`${name} must not validate the schema (not)`));
}

/** What is wrong by the alternative that comes closest. */
function fewest(found: FieldError[][]): FieldError[] {
  return found.reduce((best, next) => (next.length < best.length ? next : best));
}

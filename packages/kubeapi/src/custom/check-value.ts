/** Holds values to the words of a schema, with upstream's complaints (kube-openapi: pkg/validation/validate). */

import { isRecognizedFormat } from '../formats/schema-formats.ts';
import { exactJson } from '../json/exact-json.ts';
import {
  isJsonObject,
  isNumber,
  type JsonObject,
  type JsonValue,
  jsonEqual,
  ownValue,
} from '../json/json-value.ts';
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

/**
 * Answers how much was looked at, as upstream counts it (kube-openapi: `MatchCount`): of alternatives none of which
 * holds, the one where that was most is told of.
 */
function checkInto(
  value: JsonValue,
  schema: StructuralSchema,
  path: string,
  errors: FieldError[],
  previous: JsonValue | undefined,
): number {
  if (errors.length >= fieldComplaintsMax) return 0;
  if (previous !== undefined && jsonEqual(value, previous)) return 0;
  const wrong = checkType(value, schema, path);
  errors.push(...wrong);
  let count = wrong.length === 0 ? 1 : 0;
  if (value !== null) {
    count += ownLooks(value, schema) + checkJunctions(value, schema, path, errors);
    errors.push(...checkLeaf(value, schema, path));
    if (Array.isArray(value)) count += checkList(value, schema, path, errors, previous);
  }
  errors.push(...checkEnum(value, schema, path));
  if (isJsonObject(value)) count += checkObject(value, schema, path, errors, previous);
  return count;
}

/** Of a value that is not null, what is looked at beside its type and what is in it. */
function ownLooks(value: JsonValue, { types, format }: StructuralSchema): number {
  const ofType = types.length > 0 || format !== undefined ? 1 : -1;
  const ofKind = isNumber(value) || Array.isArray(value) ? 2 : typeof value === 'boolean' ? 0 : 1;
  const ofFormat = typeof value === 'string' && format !== undefined ? 1 : 0;
  // Junctions count twice, the enumeration once, and the whole once.
  return ofType + ofKind + ofFormat + 4;
}

/** Of 64 bits, or of what a float holds exactly. */
function isInteger(value: number | bigint): boolean {
  return typeof value === 'bigint' ? BigInt.asIntN(64, value) === value : Number.isSafeInteger(value);
}

/** JSON's name of what a value is. */
function typeOf(value: JsonValue): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  if (isNumber(value)) return isInteger(value) ? 'integer' : 'number';
  return typeof value;
}

/** What upstream's decoder makes of a number, as formats name it; nothing of what is none. */
function formatOf(value: JsonValue): string {
  return isNumber(value) ? (isInteger(value) ? 'int64' : 'float64') : '';
}

function checkType(value: JsonValue, schema: StructuralSchema, path: string): FieldError[] {
  const { types, isNullable, words } = schema;
  const type = typeOf(value);
  if (value === null)
    return types.length === 0 || isNullable ? [] : [typeInvalid(path, type, types.join(','))];
  if (types.includes(type) || (type === 'integer' && types.includes('number'))) return [];
  const format = isRecognizedFormat(words) ? words.format : undefined;
  const isNumeric = types.includes('number') || types.includes('integer');
  // As upstream: where a text of some format is expected a list passes too, and of other values the format is told of.
  if (format !== undefined && type !== 'string' && type !== 'array')
    return [typeInvalid(path, formatOf(value), format)];
  if (types.length === 0 || (format !== undefined && !isNumeric)) return [];
  return [typeInvalid(path, type, types.join(','))];
}

/** `Invalid value: "string": PATH in body must be of type integer: "string"`. */
function typeInvalid(path: string, value: string, expected: string): FieldError {
  const detail = `${path} in body must be of type ${expected}: ${JSON.stringify(value)}`;
  return { ...invalidValue(path, value, detail), type: 'FieldValueTypeInvalid' };
}

function checkEnum(value: JsonValue, { words }: StructuralSchema, path: string): FieldError[] {
  const values = words.enum ?? [];
  if (values.length === 0 || (value !== null && values.some((allowed) => jsonEqual(value, allowed))))
    return [];
  const texts = values.map((allowed) => (typeof allowed === 'string' ? allowed : exactJson(allowed)));
  return [notSupported(path, value, texts)];
}

function checkList(
  list: JsonValue[],
  schema: StructuralSchema,
  path: string,
  errors: FieldError[],
  previous: JsonValue | undefined,
): number {
  const { items } = schema;
  if (!items) return 0;
  const before = new Map<string, JsonValue>();
  if (schema.listType === 'map' && Array.isArray(previous))
    for (const item of previous) before.set(keyText(item, schema), item);
  let count = 0;
  for (const [index, item] of list.entries())
    count += checkInto(item, items, `${path}[${index}]`, errors, before.get(keyText(item, schema)));
  return count;
}

/** What names an item of a list that is a map. */
function keyText(item: JsonValue, { listMapKeys }: StructuralSchema): string {
  return exactJson(listMapKeys.map((name) => (isJsonObject(item) ? (ownValue(item, name) ?? null) : null)));
}

function checkObject(
  object: JsonObject,
  schema: StructuralSchema,
  path: string,
  errors: FieldError[],
  previous: JsonValue | undefined,
): number {
  const { additional, properties, words } = schema;
  let count = 0;
  const placeOf = (name: string) => (path === '' ? name : `${path}.${name}`);
  for (const [name, value] of Object.entries(object)) {
    const of = properties.get(name) ?? additional;
    const before = isJsonObject(previous) ? ownValue(previous, name) : undefined;
    if (typeof of === 'object') count += checkInto(value, of, placeOf(name), errors, before);
    else if (of === false)
      errors.push(invalidValue(path, '', `${path}.${name} in body is a forbidden property`));
  }
  for (const name of words.required ?? []) {
    if (ownValue(object, name) === undefined) errors.push(required(placeOf(name)));
  }
  return count;
}

/** Says of a whole what does not hold; such complaints have no place of their own upstream. */
const ofWhole = (detail: string): FieldError => invalidValue('<nil>', '', detail);

/** What is wrong with a value by one alternative of several, and how much was looked at. */
interface Tried {
  complaints: FieldError[];
  count: number;
}

const isValid = ({ complaints }: Tried) => complaints.length === 0;

function checkJunctions(
  value: JsonValue,
  schema: StructuralSchema,
  path: string,
  errors: FieldError[],
): number {
  const { allOf, anyOf, oneOf, not } = schema;
  const name = JSON.stringify(path);
  let count = 0;
  const tryOne = (alternative: StructuralSchema): Tried => {
    const complaints: FieldError[] = [];
    return { complaints, count: checkInto(value, alternative, path, complaints, undefined) };
  };
  if (anyOf.length > 0) {
    const tried = anyOf.map(tryOne);
    const told = tried.find(isValid) ?? closest(tried);
    if (!isValid(told)) errors.push(ofWhole(`${name} must validate at least one schema (anyOf)`));
    errors.push(...told.complaints);
    count += told.count;
  }
  if (oneOf.length > 0) {
    const tried = oneOf.map(tryOne);
    const valid = tried.filter(isValid);
    const how = valid.length === 0 ? 'Found none valid' : `Found ${valid.length} valid alternatives`;
    if (valid.length !== 1)
      errors.push(ofWhole(`${name} must validate one and only one schema (oneOf). ${how}`));
    if (valid.length <= 1) {
      const told = valid[0] ?? closest(tried);
      errors.push(...told.complaints);
      count += told.count;
    }
  }
  if (allOf.length > 0) {
    const tried = allOf.map(tryOne);
    const valid = tried.filter(isValid);
    for (const each of tried) {
      errors.push(...each.complaints);
      count += each.count;
    }
    if (valid.length < allOf.length) {
      const how = valid.length === 0 ? '. None validated' : '';
      errors.push(ofWhole(`${name} must validate all the schemas (allOf)${how}`));
    }
  }
  if (not && isValid(tryOne(not))) errors.push(ofWhole(`${name} must not validate the schema (not)`));
  return count;
}

/** The first of those where most was looked at. */
const closest = (tried: readonly Tried[]): Tried =>
  tried.reduce((best, next) => (next.count > best.count ? next : best));

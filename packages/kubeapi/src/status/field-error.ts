/** What is wrong with one field, in upstream's vocabulary and texts (apimachinery pkg/util/validation/field). */
import { exactJson } from '../json/exact-json.ts';
import type { JsonValue } from '../json/json-value.ts';
import { aggregateText } from './aggregate.ts';

/** Upstream's cause types. */
export type FieldErrorType =
  | 'FieldValueNotFound'
  | 'FieldValueRequired'
  | 'FieldValueDuplicate'
  | 'FieldValueInvalid'
  | 'FieldValueNotSupported'
  | 'FieldValueForbidden'
  | 'FieldValueTooLong'
  | 'FieldValueTooMany'
  | 'FieldValueTypeInvalid';

/** One violation: `field: body` is its sentence. */
export interface FieldError {
  type: FieldErrorType;
  /** `spec.containers[0].name` */
  field: string;
  /** `Invalid value: "x": must …` */
  body: string;
}

/** A dotted path to a field, built on the way down. */
export type FieldPath = string;

/** `spec` + `containers` → `spec.containers`. */
export function child(path: FieldPath, ...names: string[]): FieldPath {
  return [...(path === '' ? [] : [path]), ...names].join('.');
}

/** `spec.containers` + 0 → `spec.containers[0]`; map keys alike. */
export function at(path: FieldPath, key: number | string): FieldPath {
  return `${path}[${key}]`;
}

function show(value: JsonValue | undefined): string {
  return value === undefined ? 'null' : exactJson(value);
}

function build(type: FieldErrorType, field: FieldPath, title: string, detail: string): FieldError {
  return { type, field, body: detail === '' ? title : `${title}: ${detail}` };
}

/** `Required value`. */
export function required(field: FieldPath, detail = ''): FieldError {
  return build('FieldValueRequired', field, 'Required value', detail);
}

/** `Invalid value: VALUE: DETAIL`. */
export function invalidValue(field: FieldPath, value: JsonValue | undefined, detail: string): FieldError {
  return build('FieldValueInvalid', field, `Invalid value: ${show(value)}`, detail);
}

/** `Unsupported value: VALUE: supported values: "a", "b"`. */
export function notSupported(field: FieldPath, value: JsonValue, supported: readonly string[]): FieldError {
  const detail = supported.length === 0 ? '' : `supported values: ${supported.map(show).join(', ')}`;
  return build('FieldValueNotSupported', field, `Unsupported value: ${show(value)}`, detail);
}

/** `Duplicate value: VALUE`. */
export function duplicate(field: FieldPath, value: JsonValue): FieldError {
  return build('FieldValueDuplicate', field, `Duplicate value: ${show(value)}`, '');
}

/** `Not found: VALUE`. */
export function missing(field: FieldPath, value: JsonValue): FieldError {
  return build('FieldValueNotFound', field, `Not found: ${show(value)}`, '');
}

/** `Forbidden: DETAIL`. */
export function forbiddenField(field: FieldPath, detail: string): FieldError {
  return build('FieldValueForbidden', field, 'Forbidden', detail);
}

/** `Too long: may not be more than N bytes`. */
export function tooLong(
  field: FieldPath,
  maximum: number,
  unit = maximum === 1 ? 'byte' : 'bytes',
): FieldError {
  return build('FieldValueTooLong', field, 'Too long', `may not be more than ${maximum} ${unit}`);
}

/** `Too many: ACTUAL: must have at most N items`. */
export function tooMany(field: FieldPath, actual: number, maximum: number): FieldError {
  const detail = `must have at most ${maximum} ${maximum === 1 ? 'item' : 'items'}`;
  return build('FieldValueTooMany', field, `Too many: ${actual}`, detail);
}

/** The sentences as one: `a`, or `[a, b]`; repeats are dropped, as upstream's aggregate does. */
export function joinFieldErrors(errors: readonly FieldError[]): string {
  return aggregateText(errors.map(({ field, body }) => `${field}: ${body}`));
}

/** What config maps and secrets have in common: data by key, of bounded size, which may be frozen. */

import { type JsonValue, jsonEqual } from '../json/json-value.ts';
import { type FieldError, forbiddenField } from '../status/field-error.ts';

/** The most bytes that the values may have together. */
export const dataBytesMax = 1024 * 1024;

/** The length of the bytes behind base64. */
export const base64Bytes = (text: string) => Buffer.byteLength(text, 'base64');

/** Violations in a change of an object that says it is `immutable`. */
export function frozen<T extends { immutable?: boolean }>(
  next: T,
  previous: T,
  fields: (keyof T & string)[],
): FieldError[] {
  if (!previous.immutable) return [];
  const detail = 'field is immutable when `immutable` is set';
  const changed = fields.filter(
    (field) => !jsonEqual(next[field] as JsonValue, previous[field] as JsonValue),
  );
  return [...(next.immutable ? [] : ['immutable']), ...changed].map((field) => forbiddenField(field, detail));
}

/** Violations in paths inside volumes and on nodes. */
import { type FieldError, type FieldPath, invalidValue } from '../../../../status/field-error.ts';

/** A relative path that does not climb. */
export function descendingPath(field: FieldPath, path: string): FieldError[] {
  const errors = path.startsWith('/') ? [invalidValue(field, path, 'must be a relative path')] : [];
  return [...errors, ...withoutBacksteps(field, path)];
}

/** `must not contain '..'`. */
export function withoutBacksteps(field: FieldPath, path: string): FieldError[] {
  return path.split('/').includes('..') ? [invalidValue(field, path, "must not contain '..'")] : [];
}

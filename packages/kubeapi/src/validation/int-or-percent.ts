/** Violations in amounts that are a number or a share (apimachinery pkg/util/intstr). */
import { type FieldError, type FieldPath, invalidValue } from '../status/field-error.ts';
import { percentage } from './formats.ts';
import { check, nonNegative } from './metadata.ts';

type IntOrPercent = number | string;

const percentOf = (value: IntOrPercent): number | undefined =>
  typeof value === 'string' && percentage(value).length === 0 ? Number.parseInt(value, 10) : undefined;

/** The number that stands there, with a percent sign or without; 0 where none does. */
export function plainNumber(value: IntOrPercent | undefined): number {
  if (value === undefined) return 0;
  if (typeof value === 'number') return value;
  return percentOf(value) ?? (/^[-+]?\d+$/.test(value) ? Number(value) : 0);
}

/** Not negative, or a share. */
export function positiveOrPercent(field: FieldPath, value: IntOrPercent | undefined): FieldError[] {
  if (typeof value === 'string') return check(field, value, percentage);
  return nonNegative(field, value);
}

/** `must not be greater than 100%`. */
export function atMostAll(field: FieldPath, value: IntOrPercent | undefined): FieldError[] {
  const isMore = value !== undefined && (percentOf(value) ?? 0) > 100;
  return isMore ? [invalidValue(field, value, 'must not be greater than 100%')] : [];
}

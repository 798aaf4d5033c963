/** Violations in what a class tells its driver. */
import {
  type FieldError,
  type FieldPath,
  invalidValue,
  required,
  tooLong,
} from '../../status/field-error.ts';
import { qualifiedName } from '../../validation/formats.ts';
import { check } from '../../validation/metadata.ts';

const countMax = 512;
const bytesMax = 256 * 1024;

/** The name of a driver or a provisioner. */
export function validateDriver(field: FieldPath, name: string | undefined): FieldError[] {
  return name ? check(field, name, (text) => qualifiedName(text.toLowerCase())) : [required(field)];
}

/** Parameters of bounded number and size. */
export function validateParameters(parameters: Record<string, string> = {}): FieldError[] {
  const field = 'parameters';
  const entries = Object.entries(parameters);
  if (entries.length > countMax) return [tooLong(field, countMax)];
  const bytes = entries.reduce(
    (sum, [key, value]) => sum + Buffer.byteLength(key) + Buffer.byteLength(value),
    0,
  );
  return [
    ...entries
      .filter(([key]) => key === '')
      .map(([key]) => invalidValue(field, key, 'field can not be empty.')),
    ...(bytes > bytesMax ? [tooLong(field, bytesMax)] : []),
  ];
}

/** Violations in single values: members of closed sets, ports. */
import {
  type FieldError,
  type FieldPath,
  invalidValue,
  notSupported,
  required,
} from '../status/field-error.ts';
import { portName, portNumber } from './formats.ts';
import { check } from './metadata.ts';

/** `Required value` or `Unsupported value`. */
export function oneOf(
  field: FieldPath,
  value: string | undefined,
  supported: readonly string[],
): FieldError[] {
  if (!value) return [required(field)];
  return supported.includes(value) ? [] : [notSupported(field, value, supported)];
}

/** `must be between 1 and 65535, inclusive`. */
export function checkPort(field: FieldPath, port: number): FieldError[] {
  return portNumber(port).map((complaint) => invalidValue(field, port, complaint));
}

/** A port as a number or as the name of a container's port. */
export function validatePort(port: number | string, field: FieldPath): FieldError[] {
  return typeof port === 'number' ? checkPort(field, port) : check(field, port, portName);
}

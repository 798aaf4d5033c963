/** What device classes and claims have in common (upstream: pkg/apis/resource/validation). */

import type {
  DeviceClassConfiguration,
  DeviceSelector,
  OpaqueDeviceConfiguration,
} from '../../generated/types.ts';
import {
  at,
  child,
  type FieldError,
  type FieldPath,
  required,
  tooLong,
  tooMany,
} from '../../status/field-error.ts';
import { dnsSubdomain } from '../../validation/formats.ts';
import { check } from '../../validation/metadata.ts';

const selectorsMax = 32;
const configurationsMax = 32;
const driverBytesMax = 63;
const expressionBytesMax = 10 * 1024;

/** The name of a driver: a DNS subdomain of 63 bytes. */
export function validateDriverName(field: FieldPath, name: string | undefined): FieldError[] {
  if (!name) return [required(field)];
  if (Buffer.byteLength(name) > driverBytesMax) return [tooLong(field, driverBytesMax)];
  return check(field, name, dnsSubdomain);
}

/** Selectors: each an expression of bounded length. What it says is read when devices are given. */
export function validateSelectors(selectors: readonly DeviceSelector[], field: FieldPath): FieldError[] {
  if (selectors.length > selectorsMax) return [tooMany(field, selectors.length, selectorsMax)];
  return selectors.flatMap(({ cel }, index) => {
    const place = child(at(field, index), 'cel');
    if (!cel) return [required(place)];
    const expression = child(place, 'expression');
    if (!cel.expression) return [required(expression)];
    return Buffer.byteLength(cel.expression) > expressionBytesMax
      ? [tooLong(expression, expressionBytesMax)]
      : [];
  });
}

/** Configurations for drivers. */
export function validateConfiguration(
  configurations: readonly DeviceClassConfiguration[],
  field: FieldPath,
): FieldError[] {
  if (configurations.length > configurationsMax)
    return [tooMany(field, configurations.length, configurationsMax)];
  return configurations.flatMap(({ opaque }, index) =>
    validateOpaque(opaque, child(at(field, index), 'opaque')),
  );
}

function validateOpaque(opaque: OpaqueDeviceConfiguration | undefined, field: FieldPath): FieldError[] {
  if (!opaque) return [required(field, 'exactly one field must be specified')];
  const { driver, parameters } = opaque;
  return [
    ...validateDriverName(child(field, 'driver'), driver),
    ...(parameters === undefined ? [required(child(field, 'parameters'))] : []),
  ];
}

/** What device classes and claims have in common (upstream: pkg/apis/resource/validation). */

import {
  DeviceSelector as CompiledSelector,
  DeviceSelectorError,
} from '../../cel/devices/device-selector.ts';
import type {
  DeviceClassConfiguration,
  DeviceSelector,
  OpaqueDeviceConfiguration,
} from '../../generated/types.ts';
import { celRunCostMax } from '../../limits.ts';
import {
  at,
  child,
  type FieldError,
  type FieldPath,
  forbiddenField,
  invalidValue,
  required,
  tooLong,
  tooMany,
} from '../../status/field-error.ts';
import { dnsSubdomain } from '../../validation/formats.ts';
import { check } from '../../validation/metadata.ts';
import { requiredName } from '../../validation/references.ts';
import { validateDriverObject } from './driver-data.ts';

const selectorsMax = 32;
const configurationsMax = 32;
const driverBytesMax = 63;
const identifierBytesMax = 32;
const expressionBytesMax = 10 * 1024;

/** The name of a driver: a DNS subdomain of 63 bytes, in letters of either case. */
export function validateDriverName(field: FieldPath, name: string | undefined): FieldError[] {
  if (!name) return [required(field)];
  if (Buffer.byteLength(name) > driverBytesMax) return [tooLong(field, driverBytesMax)];
  return check(field, name, (text) => dnsSubdomain(text.toLowerCase()));
}

/** The name of a pool: DNS subdomains with slashes between them. */
export function validatePoolName(field: FieldPath, name: string | undefined): FieldError[] {
  return name
    ? name.split('/').flatMap((part) => check(field, part, dnsSubdomain))
    : requiredName(field, name);
}

const identifier = /^[A-Za-z_][A-Za-z0-9_]*$/;
const notIdentifier =
  "a valid C identifier must start with alphabetic character or '_', followed by a string of alphanumeric characters or '_' (e.g. 'my_name',  or 'MY_NAME',  or 'MyName', regex used for validation is '[A-Za-z_][A-Za-z0-9_]*')";

function validateIdentifier(name: string, field: FieldPath): FieldError[] {
  return [
    ...(Buffer.byteLength(name) > identifierBytesMax ? [tooLong(field, identifierBytesMax)] : []),
    ...(identifier.test(name) ? [] : [invalidValue(field, name, notIdentifier)]),
  ];
}

/** The name of an attribute with its domain, `DOMAIN/NAME`. What has more slashes is not looked at, as upstream. */
export function validateFullName(text: string, field: FieldPath): FieldError[] {
  const [first = '', second, ...others] = text.split('/');
  if (second === undefined) {
    const detail = 'a fully qualified name must be a domain and a name separated by a slash';
    return [...validateIdentifier(first, field), invalidValue(field, text, detail)];
  }
  if (others.length > 0) return [];
  return [
    ...(first === ''
      ? [invalidValue(field, '', 'the domain must not be empty')]
      : validateDriverName(field, first)),
    ...(second === ''
      ? [invalidValue(field, '', 'the name must not be empty')]
      : validateIdentifier(second, field)),
  ];
}

/** Selectors: each an expression of bounded length and cost. Needs `loadPatternEngine` where there are any. */
export function validateSelectors(selectors: readonly DeviceSelector[], field: FieldPath): FieldError[] {
  if (selectors.length > selectorsMax) return [tooMany(field, selectors.length, selectorsMax)];
  return selectors.flatMap(({ cel }, index) => {
    const place = child(at(field, index), 'cel');
    if (!cel) return [required(place)];
    const expression = child(place, 'expression');
    if (!cel.expression) return [required(expression)];
    return Buffer.byteLength(cel.expression) > expressionBytesMax
      ? [tooLong(expression, expressionBytesMax)]
      : expressionErrors(cel.expression, expression);
  });
}

function expressionErrors(text: string, field: FieldPath): FieldError[] {
  try {
    return new CompiledSelector(text).costMax > celRunCostMax
      ? [forbiddenField(field, 'too complex, exceeds cost limit')]
      : [];
  } catch (error) {
    if (error instanceof DeviceSelectorError) return [invalidValue(field, text, error.detail)];
    throw error;
  }
}

/** Configurations for drivers. */
export function validateConfiguration(
  configurations: readonly DeviceClassConfiguration[],
  field: FieldPath,
  most = configurationsMax,
): FieldError[] {
  if (configurations.length > most) return [tooMany(field, configurations.length, most)];
  return configurations.flatMap(({ opaque }, index) =>
    validateOpaque(opaque, child(at(field, index), 'opaque')),
  );
}

function validateOpaque(opaque: OpaqueDeviceConfiguration | undefined, field: FieldPath): FieldError[] {
  if (!opaque) return [required(field, 'exactly one field must be specified')];
  const { driver, parameters } = opaque;
  return [
    ...validateDriverName(child(field, 'driver'), driver),
    ...validateDriverObject(child(field, 'parameters'), parameters),
  ];
}

/** Violations in what a driver says of a device's nature (upstream: validateDeviceAttribute). */

import type { Device, DeviceAttribute } from '../../../generated/types.ts';
import {
  at,
  child,
  type FieldError,
  type FieldPath,
  invalidValue,
  tooLong,
} from '../../../status/field-error.ts';

const valueBytesMax = 64;
const number = '(0|[1-9]\\d*)';
const preRelease = '(0|[1-9]\\d*|\\d*[a-zA-Z-][0-9a-zA-Z-]*)';
const build = '[0-9a-zA-Z-]+';
const versionPattern = new RegExp(
  `^${number}\\.${number}\\.${number}(-${preRelease}(\\.${preRelease})*)?(\\+${build}(\\.${build})*)?$`,
);
/** Patterns are not tried on texts that could take them long. */
const versionLengthMax = 1024;
const listNames = ['bools', 'ints', 'strings', 'versions'] as const;
const scalarNames = ['bool', 'int', 'string', 'version'] as const;

/** Violations in an attribute: one value of one type. */
export function validateAttribute(attribute: DeviceAttribute, field: FieldPath): FieldError[] {
  const { string, version, strings = [], versions = [] } = attribute;
  const values = [...scalarNames, ...listNames].filter((name) => attribute[name] !== undefined);
  return [
    ...(string === undefined ? [] : validateString(string, child(field, 'string'))),
    ...(version === undefined ? [] : validateVersion(version, child(field, 'version'))),
    ...listNames
      .filter((name) => attribute[name]?.length === 0)
      .map((name) => invalidValue(child(field, name), [], 'must not be empty if specified')),
    ...strings.flatMap((text, index) => validateString(text, at(child(field, 'strings'), index))),
    ...versions.flatMap((text, index) => validateVersion(text, at(child(field, 'versions'), index))),
    ...(values.length === 1 ? [] : [invalidValue(field, '', 'exactly one value must be specified')]),
  ];
}

/** How many values the attributes of a device have, each item of a list for itself. */
export function countValues({ attributes = {} }: Device): number {
  return Object.values(attributes).reduce((sum, attribute) => {
    const items = listNames.reduce((count, name) => count + (attribute[name]?.length ?? 0), 0);
    return sum + Math.max(1, items);
  }, 0);
}

/** Whether an attribute is a list. */
export const hasList = ({ attributes = {} }: Device): boolean =>
  Object.values(attributes).some((attribute) => listNames.some((name) => attribute[name] !== undefined));

const validateString = (text: string, field: FieldPath): FieldError[] =>
  Buffer.byteLength(text) > valueBytesMax ? [tooLong(field, valueBytesMax)] : [];

function validateVersion(text: string, field: FieldPath): FieldError[] {
  const isVersion = text.length <= versionLengthMax && versionPattern.test(text);
  const detail = 'must be a string compatible with semver.org spec 2.0.0';
  return [...(isVersion ? [] : [invalidValue(field, text, detail)]), ...validateString(text, field)];
}

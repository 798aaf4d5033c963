/** What only drivers understand, and what they tell of a device on the network (upstream: pkg/apis/resource/validation). */

import type { NetworkDeviceData } from '../../generated/types.ts';
import type { JsonValue } from '../../json/json-value.ts';
import {
  child,
  type FieldError,
  type FieldPath,
  invalidValue,
  required,
  tooLong,
} from '../../status/field-error.ts';
import { validateInterfaceAddress } from '../../validation/addresses/cidr.ts';
import { validateSet } from './lists.ts';

const objectBytesMax = 10 * 1024;
const interfaceNameBytesMax = 256;
const hardwareAddressBytesMax = 128;
const addressesMax = 16;

/** An object of JSON, of at most 10 KiB; of one that is stored already (`isStored`) the size is not looked at. */
export function validateDriverObject(
  field: FieldPath,
  value: JsonValue | undefined,
  isStored = false,
): FieldError[] {
  if (value === undefined || value === null) return [required(field)];
  if (!isStored && Buffer.byteLength(JSON.stringify(value)) > objectBytesMax)
    return [tooLong(field, objectBytesMax)];
  return typeof value === 'object' && !Array.isArray(value)
    ? []
    : [invalidValue(field, '<value omitted>', 'must be a valid JSON object')];
}

/** Names, and addresses with their prefixes, each in its shortest form and once. */
export function validateNetworkData(field: FieldPath, data: NetworkDeviceData): FieldError[] {
  const { interfaceName = '', hardwareAddress = '', ips } = data;
  return [
    ...validateBytes(child(field, 'interfaceName'), interfaceName, interfaceNameBytesMax),
    ...validateBytes(child(field, 'hardwareAddress'), hardwareAddress, hardwareAddressBytesMax),
    ...validateSet(child(field, 'ips'), ips, {
      most: addressesMax,
      validateItem: (address, place) => validateInterfaceAddress(place, address),
      keyOf: (address) => address,
    }),
  ];
}

const validateBytes = (field: FieldPath, text: string, most: number): FieldError[] =>
  Buffer.byteLength(text) > most ? [tooLong(field, most)] : [];

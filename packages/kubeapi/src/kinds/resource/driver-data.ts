/** What only drivers understand, and what they tell of a device on the network (upstream: pkg/apis/resource/validation). */

import type { NetworkDeviceData } from '../../generated/types.ts';
import type { JsonValue } from '../../json/json-value.ts';
import {
  at,
  child,
  duplicate,
  type FieldError,
  type FieldPath,
  invalidValue,
  required,
  tooLong,
  tooMany,
} from '../../status/field-error.ts';
import { validateInterfaceAddress } from '../../validation/addresses/cidr.ts';
import { repeats } from '../../validation/repeats.ts';

const objectBytesMax = 10 * 1024;
const interfaceNameBytesMax = 256;
const hardwareAddressBytesMax = 128;
const addressesMax = 16;

/** An object of JSON, of at most 10 KiB. */
export function validateDriverObject(field: FieldPath, value: JsonValue | undefined): FieldError[] {
  if (value === undefined || value === null) return [required(field)];
  if (Buffer.byteLength(JSON.stringify(value)) > objectBytesMax) return [tooLong(field, objectBytesMax)];
  return typeof value === 'object' && !Array.isArray(value)
    ? []
    : [invalidValue(field, '<value omitted>', 'must be a valid JSON object')];
}

/** Names, and addresses with their prefixes, each in its shortest form and once. */
export function validateNetworkData(field: FieldPath, data: NetworkDeviceData): FieldError[] {
  const { interfaceName = '', hardwareAddress = '', ips = [] } = data;
  const list = child(field, 'ips');
  const isRepeat = repeats<string>();
  return [
    ...validateBytes(child(field, 'interfaceName'), interfaceName, interfaceNameBytesMax),
    ...validateBytes(child(field, 'hardwareAddress'), hardwareAddress, hardwareAddressBytesMax),
    ...(ips.length > addressesMax
      ? [tooMany(list, ips.length, addressesMax)]
      : ips.flatMap((address, index) => [
          ...validateInterfaceAddress(at(list, index), address),
          ...(isRepeat(address) ? [duplicate(at(list, index), address)] : []),
        ])),
  ];
}

const validateBytes = (field: FieldPath, text: string, most: number): FieldError[] =>
  Buffer.byteLength(text) > most ? [tooLong(field, most)] : [];

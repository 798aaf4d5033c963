/** Violations in what a driver says of one device (upstream: validateDevice). */

import type { Device, NodeAllocatableResourceMapping } from '../../../generated/types.ts';
import { type JsonValue, jsonEqual, ownValue } from '../../../json/json-value.ts';
import {
  at,
  child,
  type FieldError,
  type FieldPath,
  invalidValue,
  missing,
  required,
} from '../../../status/field-error.ts';
import { dnsLabel, dnsSubdomain } from '../../../validation/formats.ts';
import { check } from '../../../validation/metadata.ts';
import { validateNodeSelector } from '../../../validation/node-selector.ts';
import { isNativeResource } from '../../../validation/resource-amounts.ts';
import { parseQuantity } from '../../../values/quantity.ts';
import { validateEntries, validateList, validateSet } from '../lists.ts';
import { qualifiedNameBytesMax, validateQualifiedName } from '../names.ts';
import { countValues, validateAttribute } from './attributes.ts';
import { validateBindingConditions } from './binding-conditions.ts';
import { validateSharedCapacity, validateWholeCapacity } from './capacities.ts';
import { validateConsumption } from './counters.ts';
import { validateTaint } from './taints.ts';

const namesMax = 32;
const valuesMax = 48;
const taintsMax = 16;
const consumptionsMax = 2;

/** What is known of a device beside itself. */
export interface DeviceSurroundings {
  /** The device as it was before; of what has not changed taints are not looked at again. */
  previous: Device | undefined;
  /** Whether devices of the slice say themselves which nodes can have them. */
  choosesNodes: boolean;
}

/** Violations in a device of a slice. */
export function validateDevice(
  device: Device,
  field: FieldPath,
  { previous, choosesNodes }: DeviceSurroundings,
): FieldError[] {
  const { attributes, capacity, taints, consumesCounters } = device;
  const names = { shownKeyBytes: qualifiedNameBytesMax, validateKey: validateQualifiedName };
  const validateCapacity =
    device.allowMultipleAllocations === true ? validateSharedCapacity : validateWholeCapacity;
  return [
    ...check(child(field, 'name'), device.name ?? '', dnsLabel),
    ...validateCounts(device, field),
    ...validateEntries(child(field, 'attributes'), attributes, {
      ...names,
      validateValue: validateAttribute,
    }),
    ...validateEntries(child(field, 'capacity'), capacity, { ...names, validateValue: validateCapacity }),
    ...(previous && isSame(previous.taints, taints)
      ? []
      : validateList(child(field, 'taints'), taints, taintsMax, validateTaint)),
    ...validateSet(child(field, 'consumesCounters'), consumesCounters, {
      most: consumptionsMax,
      validateItem: validateConsumption,
      keyOf: ({ counterSet }) => counterSet ?? '',
    }),
    ...validateNodes(device, field, choosesNodes),
    ...validateBindingConditions(device, field),
    ...Object.entries(device.nodeAllocatableResourceMappings ?? {}).flatMap(([name, mapping]) =>
      validateMapping(name, mapping, device, at(child(field, 'nodeAllocatableResourceMappings'), name)),
    ),
  ];
}

const isSame = (before: object | undefined, now: object | undefined): boolean =>
  jsonEqual((before ?? []) as JsonValue, (now ?? []) as JsonValue);

function validateCounts(device: Device, field: FieldPath): FieldError[] {
  const { attributes = {}, capacity = {} } = device;
  const names = Object.keys(attributes).length + Object.keys(capacity).length;
  const values = countValues(device);
  const most = 'must not exceed';
  return [
    ...(names > namesMax
      ? [invalidValue(field, names, `the total number of attributes and capacities ${most} ${namesMax}`)]
      : []),
    ...(values > valuesMax
      ? [invalidValue(field, values, `the total number of attribute values ${most} ${valuesMax}`)]
      : []),
  ];
}

function validateNodes(device: Device, field: FieldPath, choosesNodes: boolean): FieldError[] {
  const { nodeName, nodeSelector, allNodes } = device;
  const ways = [
    ...(nodeName ? ['`nodeName`'] : []),
    ...(nodeSelector ? ['`nodeSelector`'] : []),
    ...(allNodes === true ? ['`allNodes`'] : []),
  ];
  if (!choosesNodes) {
    const detail =
      '`nodeName`, `nodeSelector` and `allNodes` can only be set if `perDeviceNodeSelection` is set to true in the ResourceSlice spec';
    const isSilent = nodeName === undefined && !nodeSelector && allNodes === undefined;
    return isSilent ? [] : [invalidValue(field, undefined, detail)];
  }
  const detail =
    'exactly one of `nodeName`, `nodeSelector`, or `allNodes` is required when `perDeviceNodeSelection` is set to true in the ResourceSlice spec';
  return [
    ...(nodeName ? check(child(field, 'nodeName'), nodeName, dnsSubdomain) : []),
    ...(nodeName === '' ? [invalidValue(child(field, 'nodeName'), '', 'must not be empty')] : []),
    ...(nodeSelector ? validateNodeSelector(nodeSelector, child(field, 'nodeSelector')) : []),
    ...(allNodes === false
      ? [invalidValue(child(field, 'allNodes'), false, 'must be either unset or set to true')]
      : []),
    ...(ways.length === 0 ? [required(field, detail)] : []),
    ...(ways.length > 1 ? [invalidValue(field, `{${ways.join(', ')}}`, detail)] : []),
  ];
}

/** What a device takes of its node's own resources. */
function validateMapping(
  name: string,
  { capacityKey, allocationMultiplier }: NodeAllocatableResourceMapping,
  { capacity = {} }: Device,
  field: FieldPath,
): FieldError[] {
  const key = child(field, 'capacityKey');
  const unknown = isNativeResource(name)
    ? []
    : [invalidValue(field, name, 'must be a node allocatable resource name')];
  if (allocationMultiplier === undefined && capacityKey === undefined)
    return [
      ...unknown,
      invalidValue(field, '', 'at least one of allocationMultiplier or capacityKey must be set'),
    ];
  return [
    ...unknown,
    ...(allocationMultiplier !== undefined && parseQuantity(allocationMultiplier).sign() <= 0
      ? [invalidValue(child(field, 'allocationMultiplier'), allocationMultiplier, 'must be positive')]
      : []),
    ...(capacityKey === '' ? [invalidValue(key, '', 'capacityKey must not be an empty string')] : []),
    ...(capacityKey && ownValue(capacity, capacityKey) === undefined ? [missing(key, capacityKey)] : []),
  ];
}

/** Violations in what is written into a claim's status (upstream: pkg/apis/resource/validation). */

import type {
  AllocatedDeviceStatus,
  AllocationResult,
  DeviceRequestAllocationResult,
  ResourceClaimConsumerReference,
  ResourceV1ResourceClaim,
} from '../../generated/types.ts';
import type { JsonValue } from '../../json/json-value.ts';
import {
  child,
  type FieldError,
  type FieldPath,
  forbiddenField,
  invalidValue,
  required,
  tooMany,
} from '../../status/field-error.ts';
import { validateConditions } from '../../validation/conditions.ts';
import { dnsLabel } from '../../validation/formats.ts';
import { check, immutable } from '../../validation/metadata.ts';
import { validateNodeSelector } from '../../validation/node-selector.ts';
import { validateCsiDriverName } from '../../validation/references.ts';
import { oneOf } from '../../validation/values.ts';
import { configurationsMax, validateConfiguration } from './device-parts.ts';
import { requestNames, validateRequestName, validateRequestNames } from './device-requests.ts';
import { validateBindingConditions } from './devices/binding-conditions.ts';
import { validateDriverObject, validateNetworkData } from './driver-data.ts';
import { validateList, validateSet } from './lists.ts';
import { validatePoolName, validateUid } from './names.ts';

const usersMax = 256;
const resultsMax = 32;
const conditionsMax = 8;
const sources = ['FromClaim', 'FromClass'];

/** Violations in a claim's status. */
export function validateClaimStatus(
  next: ResourceV1ResourceClaim,
  previous: ResourceV1ResourceClaim,
): FieldError[] {
  const { allocation, reservedFor = [], devices } = next.status ?? {};
  const before = previous.status ?? {};
  const given = new Set(allocation?.devices?.results?.map(deviceKey));
  return [
    ...validateUsers(next, before.reservedFor ?? []),
    ...validateSet('status.devices', devices, {
      most: Number.POSITIVE_INFINITY,
      validateItem: (device, place) => validateDevice(device, place, given),
      keyOf: deviceKey,
    }),
    ...(reservedFor.length > 0 && !allocation
      ? [forbiddenField('status.reservedFor', 'may not be specified when `allocated` is not set')]
      : []),
    ...(allocation && before.allocation
      ? immutable(
          'status.allocation',
          allocation as unknown as JsonValue,
          before.allocation as unknown as JsonValue,
        )
      : []),
    ...(allocation && !before.allocation
      ? validateAllocation(allocation, requestNames(next.spec?.devices ?? {}))
      : []),
  ];
}

function validateUsers(
  { metadata, status }: ResourceV1ResourceClaim,
  before: readonly ResourceClaimConsumerReference[],
): FieldError[] {
  const field = 'status.reservedFor';
  const users = status?.reservedFor ?? [];
  const known = new Set(before.map(userKey));
  const isLate = metadata.deletionTimestamp !== undefined && users.some((user) => !known.has(userKey(user)));
  const why = 'new entries may not be added while `deallocationRequested` or `deletionTimestamp` are set';
  return [
    ...validateSet(field, users, {
      most: usersMax,
      validateItem: validateUser,
      keyOf: ({ uid }) => uid ?? '',
    }),
    ...(isLate && status?.allocation ? [forbiddenField(field, why)] : []),
  ];
}

const validateUser = (user: ResourceClaimConsumerReference, field: FieldPath): FieldError[] =>
  (['resource', 'name', 'uid'] as const)
    .filter((key) => !user[key])
    .map((key) => required(child(field, key)));

const userKey = ({ apiGroup = '', resource, name, uid }: ResourceClaimConsumerReference): string =>
  JSON.stringify([apiGroup, resource, name, uid]);

/** Which device, or share of one. */
function deviceKey({
  driver,
  pool,
  device,
  shareID,
}: AllocatedDeviceStatus | DeviceRequestAllocationResult): string {
  return [driver, pool, device, ...(shareID === undefined ? [] : [shareID])].join('/');
}

function validateDevice(
  device: AllocatedDeviceStatus,
  field: FieldPath,
  given: ReadonlySet<string>,
): FieldError[] {
  const { conditions = [], data, networkData } = device;
  const place = child(field, 'conditions');
  return [
    ...validateDeviceNames(device, field),
    ...(given.has(deviceKey(device))
      ? []
      : [invalidValue(field, deviceKey(device), 'must be an allocated device in the claim')]),
    ...(conditions.length > conditionsMax ? [tooMany(place, conditions.length, conditionsMax)] : []),
    ...validateConditions(conditions, place),
    ...(data ? validateDriverObject(child(field, 'data'), data) : []),
    ...(networkData ? validateNetworkData(child(field, 'networkData'), networkData) : []),
  ];
}

function validateDeviceNames(
  { driver, pool, device, shareID }: AllocatedDeviceStatus | DeviceRequestAllocationResult,
  field: FieldPath,
): FieldError[] {
  return [
    ...validateCsiDriverName(child(field, 'driver'), driver),
    ...validatePoolName(child(field, 'pool'), pool),
    ...check(child(field, 'device'), device ?? '', dnsLabel),
    ...(shareID === undefined ? [] : validateUid(child(field, 'shareID'), shareID)),
  ];
}

function validateAllocation(
  { devices = {}, nodeSelector }: AllocationResult,
  names: ReadonlySet<string>,
): FieldError[] {
  const field = 'status.allocation';
  return [
    ...validateList(child(field, 'devices', 'results'), devices.results, resultsMax, (result, place) => [
      ...validateRequestName(result.request ?? '', child(place, 'request'), names),
      ...validateDeviceNames(result, place),
      ...validateBindingConditions(result, place),
    ]),
    ...validateList(
      child(field, 'devices', 'config'),
      devices.config,
      2 * configurationsMax,
      (each, place) => [
        ...oneOf(child(place, 'source'), each.source, sources),
        ...validateRequestNames(child(place, 'requests'), each.requests, names),
        ...validateConfiguration(each, place),
      ],
    ),
    ...(nodeSelector ? validateNodeSelector(nodeSelector, child(field, 'nodeSelector')) : []),
  ];
}

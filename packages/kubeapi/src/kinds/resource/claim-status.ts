/** Violations in what is written into a claim's status (upstream: pkg/apis/resource/validation). */

import type {
  AllocatedDeviceStatus,
  AllocationResult,
  DeviceAllocationConfiguration,
  DeviceRequestAllocationResult,
  ResourceClaimConsumerReference,
  ResourceV1ResourceClaim,
} from '../../generated/types.ts';
import type { JsonValue } from '../../json/json-value.ts';
import {
  at,
  child,
  duplicate,
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
import { repeats } from '../../validation/repeats.ts';
import { oneOf } from '../../validation/values.ts';
import { validateBindingConditions } from './binding-conditions.ts';
import { validateConfiguration, validateDriverName, validatePoolName } from './device-parts.ts';
import { requestNames, validateRequestName } from './device-requests.ts';
import { validateDriverObject, validateNetworkData } from './driver-data.ts';

const usersMax = 256;
const resultsMax = 32;
const configurationsMax = 64;
const conditionsMax = 8;
const sources = ['FromClaim', 'FromClass'];

/** Violations in a claim's status. */
export function validateClaimStatus(
  next: ResourceV1ResourceClaim,
  previous: ResourceV1ResourceClaim,
): FieldError[] {
  const { allocation, reservedFor = [], devices = [] } = next.status ?? {};
  const before = previous.status ?? {};
  const given = new Set(allocation?.devices?.results?.map(deviceKey));
  const told = new Set<string>();
  return [
    ...validateUsers(next, before.reservedFor ?? []),
    ...devices.flatMap((device, index) => {
      const place = at('status.devices', index);
      const key = deviceKey(device);
      const isRepeated = told.has(key);
      told.add(key);
      return [...validateDevice(device, place, given), ...(isRepeated ? [duplicate(place, key)] : [])];
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
  if (users.length > usersMax) return [tooMany(field, users.length, usersMax)];
  const known = new Set(before.map(userKey));
  const isRepeat = repeats<string>();
  const isLate = metadata.deletionTimestamp !== undefined && users.some((user) => !known.has(userKey(user)));
  const why = 'new entries may not be added while `deallocationRequested` or `deletionTimestamp` are set';
  return [
    ...users.flatMap((user, index) => {
      const place = at(field, index);
      const isRepeated = isRepeat(user.uid);
      const missing = (['resource', 'name', 'uid'] as const).filter((key) => !user[key]);
      return [
        ...missing.map((key) => required(child(place, key))),
        ...(isRepeated ? [duplicate(place, user.uid)] : []),
      ];
    }),
    ...(isLate && status?.allocation ? [forbiddenField(field, why)] : []),
  ];
}

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
    ...validateDriverName(child(field, 'driver'), driver),
    ...validatePoolName(child(field, 'pool'), pool),
    ...check(child(field, 'device'), device ?? '', dnsLabel),
    ...(shareID === undefined || normalizedUid.test(shareID)
      ? []
      : [invalidValue(child(field, 'shareID'), shareID, uidForm)]),
  ];
}

const normalizedUid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const uidForm =
  'uid must be in RFC 4122 normalized form, `xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx` with lowercase hexadecimal characters';

function validateAllocation(
  { devices = {}, nodeSelector }: AllocationResult,
  names: ReadonlySet<string>,
): FieldError[] {
  const field = 'status.allocation';
  const list = child(field, 'devices', 'results');
  const place = child(field, 'devices', 'config');
  const { results = [], config = [] } = devices;
  return [
    ...(results.length > resultsMax ? [tooMany(list, results.length, resultsMax)] : []),
    ...results.flatMap((result, index) => [
      ...validateRequestName(result.request, child(at(list, index), 'request'), names),
      ...validateDeviceNames(result, at(list, index)),
      ...validateBindingConditions(result, at(list, index)),
    ]),
    ...config.flatMap((each, index) => validateSource(each, at(place, index), names)),
    ...validateConfiguration(config, place, configurationsMax),
    ...(nodeSelector ? validateNodeSelector(nodeSelector, child(field, 'nodeSelector')) : []),
  ];
}

function validateSource(
  { source, requests = [] }: DeviceAllocationConfiguration,
  field: FieldPath,
  names: ReadonlySet<string>,
): FieldError[] {
  const place = child(field, 'source');
  return [
    ...(source ? oneOf(place, source, sources) : [required(place)]),
    ...requests.flatMap((name, index) =>
      validateRequestName(name, at(child(field, 'requests'), index), names),
    ),
  ];
}

/** Violations in what a claim asks for (upstream: pkg/apis/resource/validation). */

import type {
  DeviceClaim,
  DeviceConstraint,
  DeviceRequest,
  DeviceSubRequest,
  ExactDeviceRequest,
  ResourceClaimSpec,
} from '../../generated/types.ts';
import type { JsonObject } from '../../json/json-value.ts';
import {
  at,
  child,
  type FieldError,
  type FieldPath,
  forbiddenField,
  invalidValue,
  required,
} from '../../status/field-error.ts';
import { dnsLabel, dnsSubdomain } from '../../validation/formats.ts';
import { check } from '../../validation/metadata.ts';
import { oneOf } from '../../validation/values.ts';
import { configurationsMax, validateConfiguration, validateSelectors } from './device-parts.ts';
import { validateToleration } from './devices/taints.ts';
import { validateList, validateSet } from './lists.ts';
import { validateFullName } from './names.ts';

const requestsMax = 32;
const constraintsMax = 32;
/** Of all selectors of a claim together: expressions are compiled when it is written, and whoever else writes waits for that. */
const expressionsBytesMax = 128 * 1024;
const alternativesMax = 8;
const modes = ['All', 'ExactCount'];

/** Violations in a claim's spec. */
export function validateClaim({ devices = {} }: ResourceClaimSpec, field: FieldPath): FieldError[] {
  const { requests = [], constraints, config } = devices;
  const list = child(field, 'devices', 'requests');
  const names = requestNames(devices);
  const bytes = requests.length > requestsMax ? 0 : expressionBytes(requests);
  if (bytes > expressionsBytesMax) {
    const detail = `expressions have ${bytes} bytes together, where those of one claim may have ${expressionsBytesMax}`;
    return [forbiddenField(list, detail)];
  }
  return [
    ...validateSet(list, requests, {
      most: requestsMax,
      validateItem: validateRequest,
      keyOf: ({ name }) => name ?? '',
    }),
    ...validateList(
      child(field, 'devices', 'constraints'),
      constraints,
      constraintsMax,
      (constraint, place) => [
        ...validateRequestNames(child(place, 'requests'), constraint.requests, names),
        ...validateAttribute(constraint, place),
      ],
    ),
    ...validateList(child(field, 'devices', 'config'), config, configurationsMax, (each, place) => [
      ...validateRequestNames(child(place, 'requests'), each.requests, names),
      ...validateConfiguration(each, place),
    ]),
  ];
}

function expressionBytes(requests: readonly DeviceRequest[]): number {
  const asked = requests.flatMap(({ exactly, firstAvailable = [] }) => [
    ...(exactly ? [exactly] : []),
    ...firstAvailable,
  ]);
  const selectors = asked.flatMap((each: ExactDeviceRequest | DeviceSubRequest) => each.selectors ?? []);
  return selectors.reduce((sum, { cel }) => sum + Buffer.byteLength(cel?.expression ?? ''), 0);
}

/** What all devices of a constraint have alike, or each of its own. */
function validateAttribute(
  { matchAttribute, distinctAttribute }: DeviceConstraint,
  field: FieldPath,
): FieldError[] {
  if (matchAttribute !== undefined) return validateFullName(matchAttribute, child(field, 'matchAttribute'));
  if (distinctAttribute !== undefined)
    return validateFullName(distinctAttribute, child(field, 'distinctAttribute'));
  const detail = 'exactly one of "matchAttribute" or "distinctAttribute" is required';
  return [required(field, detail)];
}

/** All names by which parts of a claim say which request they are about. */
export function requestNames({ requests = [] }: DeviceClaim): ReadonlySet<string> {
  return new Set(
    requests
      // A name with a slash is nobody's, even if a request should have it.
      .filter(({ name }) => !name?.includes('/'))
      .flatMap(({ name, firstAvailable = [] }) => [
        name,
        ...firstAvailable.map((each) => `${name}/${each.name}`),
      ]),
  );
}

/** Violations in the name of a request that has to be one of a claim's. */
export function validateRequestName(
  name: string,
  field: FieldPath,
  names: ReadonlySet<string>,
): FieldError[] {
  const detail =
    "must be the name of a request in the claim or the name of a request and a subrequest separated by '/'";
  const unknown = names.has(name) ? [] : [invalidValue(field, name, detail)];
  const parts = name.split('/');
  return parts.length > 2 ? unknown : [...parts.flatMap((part) => check(field, part, dnsLabel)), ...unknown];
}

/** Violations in a list of such names. */
export const validateRequestNames = (
  field: FieldPath,
  list: readonly string[] | undefined,
  names: ReadonlySet<string>,
): FieldError[] =>
  validateSet(field, list, {
    most: requestsMax,
    validateItem: (name, place) => validateRequestName(name, place, names),
    keyOf: (name) => name,
  });

function validateRequest(
  { name, exactly, firstAvailable = [] }: DeviceRequest,
  field: FieldPath,
): FieldError[] {
  const errors = check(child(field, 'name'), name ?? '', dnsLabel);
  const detail = 'exactly one of `exactly` or `firstAvailable` is required';
  if (exactly && firstAvailable.length > 0)
    return [...errors, invalidValue(field, undefined, `${detail}, but multiple fields are set`)];
  if (exactly) return [...errors, ...validateExact(exactly, child(field, 'exactly'))];
  if (firstAvailable.length === 0) return [...errors, required(field, detail)];
  return [
    ...errors,
    ...validateSet(child(field, 'firstAvailable'), firstAvailable, {
      most: alternativesMax,
      validateItem: (each, place) => [
        ...check(child(place, 'name'), each.name ?? '', dnsLabel),
        ...validateExact(each, place),
      ],
      keyOf: (each) => each.name ?? '',
    }),
  ];
}

function validateExact(
  {
    deviceClassName,
    allocationMode,
    count = 0,
    selectors = [],
    tolerations = [],
  }: ExactDeviceRequest | DeviceSubRequest,
  field: FieldPath,
): FieldError[] {
  const place = child(field, 'deviceClassName');
  const isCounted = allocationMode === 'ExactCount';
  return [
    ...(deviceClassName ? check(place, deviceClassName, dnsSubdomain) : [required(place)]),
    ...validateSelectors(selectors, child(field, 'selectors')),
    ...tolerations.flatMap((toleration, index) =>
      validateToleration(toleration, at(child(field, 'tolerations'), index)),
    ),
    ...oneOf(child(field, 'allocationMode'), allocationMode, modes),
    ...(isCounted && count <= 0
      ? [invalidValue(child(field, 'count'), count, 'must be greater than zero')]
      : []),
    ...(allocationMode === 'All' && count !== 0
      ? [invalidValue(child(field, 'count'), count, "must not be specified when allocationMode is 'All'")]
      : []),
  ];
}

/** One device, unless it says otherwise. */
export function defaultRequest(request: JsonObject): void {
  request['allocationMode'] ||= 'ExactCount';
  if (request['allocationMode'] === 'ExactCount') request['count'] ||= 1;
}

/** Violations in what a claim asks for (upstream: pkg/apis/resource/validation). */

import type {
  DeviceClaim,
  DeviceConstraint,
  DeviceRequest,
  DeviceSubRequest,
  DeviceToleration,
  ExactDeviceRequest,
  ResourceClaimSpec,
} from '../../generated/types.ts';
import type { JsonObject } from '../../json/json-value.ts';
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
import { dnsLabel, dnsSubdomain, labelValueFormat, qualifiedName } from '../../validation/formats.ts';
import { check } from '../../validation/metadata.ts';
import { repeats } from '../../validation/repeats.ts';
import { oneOf } from '../../validation/values.ts';
import { validateConfiguration, validateFullName, validateSelectors } from './device-parts.ts';

const requestsMax = 32;
const constraintsMax = 32;
/** Of all selectors of a claim together: expressions are compiled when it is written, and whoever else writes waits for that. */
const expressionsBytesMax = 128 * 1024;
const alternativesMax = 8;
const modes = ['All', 'ExactCount'];

/** Violations in a claim's spec. */
export function validateClaim({ devices = {} }: ResourceClaimSpec, field: FieldPath): FieldError[] {
  const { requests = [], constraints = [], config = [] } = devices;
  const list = child(field, 'devices', 'requests');
  const names = requestNames(devices);
  const isRepeat = repeats<string>();
  const known = (asked: readonly string[], place: FieldPath) => {
    const isAgain = repeats<string>();
    return asked.flatMap((name, index) => [
      ...validateRequestName(name, at(place, index), names),
      ...(isAgain(name) ? [duplicate(at(place, index), name)] : []),
    ]);
  };
  if (requests.length > requestsMax) return [tooMany(list, requests.length, requestsMax)];
  const bytes = expressionBytes(requests);
  if (bytes > expressionsBytesMax) {
    const detail = `expressions have ${bytes} bytes together, where those of one claim may have ${expressionsBytesMax}`;
    return [forbiddenField(list, detail)];
  }
  const constraintList = child(field, 'devices', 'constraints');
  if (constraints.length > constraintsMax)
    return [tooMany(constraintList, constraints.length, constraintsMax)];
  return [
    ...requests.flatMap((request, index) =>
      validateRequest(request, at(list, index), isRepeat(request.name)),
    ),
    ...constraints.flatMap((constraint, index) => [
      ...known(constraint.requests ?? [], child(at(constraintList, index), 'requests')),
      ...validateAttribute(constraint, at(constraintList, index)),
    ]),
    ...config.flatMap(({ requests: asked = [] }, index) =>
      known(asked, child(at(child(field, 'devices', 'config'), index), 'requests')),
    ),
    ...validateConfiguration(config, child(field, 'devices', 'config')),
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
    requests.flatMap(({ name, firstAvailable = [] }) => [
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
  return names.has(name) ? [] : [invalidValue(field, name, 'must be the name of a request in the claim')];
}

function validateName(name: string | undefined, field: FieldPath, repeated: boolean): FieldError[] {
  const errors = check(child(field, 'name'), name ?? '', dnsLabel);
  return repeated ? [...errors, duplicate(field, name ?? '')] : errors;
}

function validateRequest(request: DeviceRequest, field: FieldPath, repeated: boolean): FieldError[] {
  const { name, exactly, firstAvailable = [] } = request;
  const errors = validateName(name, field, repeated);
  if (!exactly === (firstAvailable.length === 0)) {
    const detail = 'exactly one of `exactly` or `firstAvailable` is required';
    return [...errors, exactly ? invalidValue(field, {}, detail) : required(field, detail)];
  }
  const list = child(field, 'firstAvailable');
  const isRepeat = repeats<string>();
  return [
    ...errors,
    ...(exactly ? validateExact(exactly, child(field, 'exactly')) : []),
    ...(firstAvailable.length > alternativesMax
      ? [tooMany(list, firstAvailable.length, alternativesMax)]
      : firstAvailable.flatMap((each, index) => [
          ...validateName(each.name, at(list, index), isRepeat(each.name)),
          ...validateExact(each, at(list, index)),
        ])),
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
      ? [invalidValue(child(field, 'count'), count, 'must not be specified when allocationMode is All')]
      : []),
  ];
}

const operators = ['Equal', 'Exists'];
const effects = ['NoExecute', 'NoSchedule', 'None'];

function validateToleration(toleration: DeviceToleration, field: FieldPath): FieldError[] {
  const { key = '', operator = '', value = '', effect = '' } = toleration;
  const place = child(field, 'value');
  return [
    ...(key === '' ? [] : check(child(field, 'key'), key, qualifiedName)),
    ...oneOf(child(field, 'operator'), operator, operators),
    ...(operator === 'Exists' && value !== ''
      ? [invalidValue(place, value, 'must be empty for operator `Exists`')]
      : []),
    ...(operator === 'Equal' ? check(place, value, labelValueFormat) : []),
    ...(effect === '' ? [] : oneOf(child(field, 'effect'), effect, effects)),
  ];
}

/** One device, unless it says otherwise. */
export function defaultRequest(request: JsonObject): void {
  request['allocationMode'] ||= 'ExactCount';
  if (request['allocationMode'] === 'ExactCount') request['count'] ||= 1;
}

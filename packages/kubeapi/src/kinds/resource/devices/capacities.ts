/** Violations in what a device has of something, and in how much of it one may ask for (upstream: validateRequestPolicy). */

import type {
  CapacityRequestPolicy,
  CapacityRequestPolicyRange,
  DeviceCapacity,
} from '../../../generated/types.ts';
import {
  at,
  child,
  type FieldError,
  type FieldPath,
  forbiddenField,
  invalidValue,
  required,
} from '../../../status/field-error.ts';
import { parseQuantity, type Quantity } from '../../../values/quantity.ts';
import { validateSet } from '../lists.ts';

const optionsMax = 10;

/** Violations in a capacity of a device that is given to one claim as a whole. */
export function validateWholeCapacity({ requestPolicy }: DeviceCapacity, field: FieldPath): FieldError[] {
  if (!requestPolicy) return [];
  return [forbiddenField(child(field, 'requestPolicy'), 'allowMultipleAllocations must be true')];
}

/** Violations in a capacity of a device that several claims share. */
export function validateSharedCapacity(
  { value, requestPolicy }: DeviceCapacity,
  field: FieldPath,
): FieldError[] {
  return requestPolicy
    ? validatePolicy(parseQuantity(value), requestPolicy, child(field, 'requestPolicy'))
    : [];
}

function validatePolicy(capacity: Quantity, policy: CapacityRequestPolicy, field: FieldPath): FieldError[] {
  const { default: usual, validValues = [], validRange } = policy;
  if (validValues.length > 0 && validRange) {
    const detail =
      'exactly one policy can be specified, cannot specify "validValues" and "validRange" at the same time';
    return [forbiddenField(field, detail)];
  }
  const way = validValues.length > 0 ? 'validValues' : 'validRange';
  if (validValues.length === 0 && !validRange) return [];
  if (usual === undefined) return [required(child(field, 'default'), `required when ${way} is defined`)];
  const place = child(field, way);
  return validRange
    ? validateRange(parseQuantity(usual), capacity, validRange, place)
    : validateValues(parseQuantity(usual), capacity, validValues.map(parseQuantity), place);
}

/** Amounts that may be asked for: in order, none above the capacity, and the usual one among them. */
function validateValues(
  usual: Quantity,
  capacity: Quantity,
  values: readonly Quantity[],
  field: FieldPath,
): FieldError[] {
  const isKnown = values.length <= optionsMax && values.some((value) => value.cmp(usual) === 0);
  return [
    ...values.flatMap((value, index) =>
      index > 0 && values[index - 1]!.cmp(value) > 0
        ? [invalidValue(at(field, index), `${value}`, 'values must be sorted in ascending order')]
        : [],
    ),
    ...validateSet(field, values, {
      most: optionsMax,
      validateItem: (value, place) =>
        value.cmp(capacity) > 0
          ? [invalidValue(place, `${value}`, `option is larger than capacity value: ${capacity}`)]
          : [],
      keyOf: (value) => `${value.value()}`,
    }),
    ...(isKnown
      ? []
      : [invalidValue(field, `${usual}`, 'default value is not valid according to the requestPolicy')]),
  ];
}

/** Amounts from the least on, step by step where there are steps. */
function validateRange(
  usual: Quantity,
  capacity: Quantity,
  { min: least, max: most, step }: CapacityRequestPolicyRange,
  field: FieldPath,
): FieldError[] {
  if (least === undefined) return [required(child(field, 'min'), 'required when validRange is defined')];
  const min = parseQuantity(least);
  const max = most === undefined ? undefined : parseQuantity(most);
  const invalid = (name: string, value: Quantity, detail: string) =>
    invalidValue(child(field, name), `${value}`, detail);
  return [
    ...(min.cmp(capacity) > 0 ? [invalid('min', min, `min is larger than capacity value: ${capacity}`)] : []),
    ...(usual.cmp(min) < 0 ? [invalid('min', usual, `default is less than min: ${min}`)] : []),
    ...(max && min.cmp(max) > 0 ? [invalid('max', min, `min is larger than max: ${max}`)] : []),
    ...(max && max.cmp(capacity) > 0
      ? [invalid('max', max, `max is larger than capacity value: ${capacity}`)]
      : []),
    ...(max && usual.cmp(max) > 0 ? [invalid('max', usual, `default is more than max: ${max}`)] : []),
    ...(step === undefined
      ? []
      : validateStep(parseQuantity(step), { usual, capacity, min, max }, child(field, 'step'))),
  ];
}

interface Range {
  usual: Quantity;
  capacity: Quantity;
  min: Quantity;
  max: Quantity | undefined;
}

function validateStep(step: Quantity, { usual, capacity, min, max }: Range, field: FieldPath): FieldError[] {
  // Upstream divides by it.
  if (step.value() === 0n) return [invalidValue(field, `${step}`, 'must not be zero')];
  const first = min.add(step);
  return [
    ...(first.cmp(capacity) > 0
      ? [invalidValue(field, `${step}`, `one step ${first} is larger than capacity value: ${capacity}`)]
      : []),
    ...[usual, ...(max ? [max] : [])]
      .filter((value) => (value.value() - min.value()) % step.value() !== 0n)
      .map((value) =>
        invalidValue(field, `${value}`, `value is not a multiple of a given step (${step}) from (${min})`),
      ),
  ];
}

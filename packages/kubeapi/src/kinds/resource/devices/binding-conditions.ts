/** What devices say of being made ready after they were chosen (upstream: validateDeviceBindingParameters). */

import {
  at,
  child,
  duplicate,
  type FieldError,
  type FieldPath,
  invalidValue,
} from '../../../status/field-error.ts';
import { qualifiedName } from '../../../validation/formats.ts';
import { check } from '../../../validation/metadata.ts';
import { repeats } from '../../../validation/repeats.ts';
import { validateList } from '../lists.ts';

const conditionsMax = 4;

/** Violations in the conditions of a device: the names are labels', none is told twice, and there are none of one kind alone. */
export function validateBindingConditions(
  device: { bindingConditions?: readonly string[]; bindingFailureConditions?: readonly string[] },
  field: FieldPath,
): FieldError[] {
  const { bindingConditions: wanted = [], bindingFailureConditions: failing = [] } = device;
  const [place, failurePlace] = ['bindingConditions', 'bindingFailureConditions'].map((name) =>
    child(field, name),
  );
  const known = new Set(wanted);
  const overlap = 'bindingFailureConditions must not overlap with bindingConditions';
  return [
    ...validateNames(wanted, place!),
    ...validateNames(failing, failurePlace!),
    ...failing.flatMap((name, index) =>
      known.has(name) ? [invalidValue(at(failurePlace!, index), name, overlap)] : [],
    ),
    ...(wanted.length === 0 && failing.length > 0
      ? [invalidValue(place!, [], 'bindingConditions are required to use bindingFailureConditions')]
      : []),
    ...(failing.length === 0 && wanted.length > 0
      ? [invalidValue(failurePlace!, [], 'bindingFailureConditions are required to use bindingConditions')]
      : []),
  ];
}

const validateNames = (names: readonly string[], field: FieldPath): FieldError[] => {
  const isRepeat = repeats<string>();
  return [
    ...validateList(field, names, conditionsMax, (name, place) => check(place, name, qualifiedName)),
    ...names.flatMap((name, index) => (isRepeat(name) ? [duplicate(at(field, index), name)] : [])),
  ];
};

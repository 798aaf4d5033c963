/** Violations in conditions of the common form (apimachinery pkg/apis/meta/v1/validation). */

import type { Condition } from '../generated/types.ts';
import {
  at,
  child,
  duplicate,
  type FieldError,
  type FieldPath,
  invalidValue,
  notSupported,
  required,
  tooLong,
} from '../status/field-error.ts';
import { qualifiedName } from './formats.ts';
import { check, nonNegative } from './metadata.ts';
import { repeats } from './repeats.ts';

const statuses = ['False', 'True', 'Unknown'];
const reasonPattern = /^[A-Za-z]([A-Za-z0-9_,:]*[A-Za-z0-9_])?$/;
const notReason =
  "a condition reason must start with alphabetic character, optionally followed by a string of alphanumeric characters or '_,:', and must end with an alphanumeric character or '_' (e.g. 'my_name',  or 'MY_NAME',  or 'MyName',  or 'ReasonA,ReasonB',  or 'ReasonA:ReasonB', regex used for validation is '[A-Za-z]([A-Za-z0-9_,:]*[A-Za-z0-9_])?')";
const reasonBytesMax = 1024;
const messageBytesMax = 32 * 1024;

/** Violations in a list of conditions: each type once. */
export function validateConditions(conditions: readonly Condition[] = [], field: FieldPath): FieldError[] {
  const isRepeat = repeats<string>();
  return conditions.flatMap((condition, index) => {
    const place = at(field, index);
    return [
      ...(isRepeat(condition.type) ? [duplicate(child(place, 'type'), condition.type)] : []),
      ...validateCondition(condition, place),
    ];
  });
}

function validateCondition(condition: Condition, field: FieldPath): FieldError[] {
  const { type = '', status, reason = '', message = '', lastTransitionTime, observedGeneration } = condition;
  return [
    ...check(child(field, 'type'), type, qualifiedName),
    ...(statuses.includes(status) ? [] : [notSupported(child(field, 'status'), status ?? '', statuses)]),
    ...nonNegative(child(field, 'observedGeneration'), observedGeneration),
    ...(lastTransitionTime ? [] : [required(child(field, 'lastTransitionTime'))]),
    ...validateReason(reason, child(field, 'reason')),
    ...(Buffer.byteLength(message) > messageBytesMax
      ? [tooLong(child(field, 'message'), messageBytesMax)]
      : []),
  ];
}

function validateReason(reason: string, field: FieldPath): FieldError[] {
  if (reason === '') return [required(field)];
  return [
    ...(reasonPattern.test(reason) ? [] : [invalidValue(field, reason, notReason)]),
    ...(Buffer.byteLength(reason) > reasonBytesMax ? [tooLong(field, reasonBytesMax)] : []),
  ];
}

/** Violations in taints of devices, and in what tolerates them. */

import type { DeviceTaint, DeviceToleration } from '../../../generated/types.ts';
import { child, type FieldError, type FieldPath, invalidValue } from '../../../status/field-error.ts';
import { labelValueFormat, qualifiedName } from '../../../validation/formats.ts';
import { check } from '../../../validation/metadata.ts';
import { oneOf } from '../../../validation/values.ts';

const operators = ['Equal', 'Exists'];
const effects = ['NoExecute', 'NoSchedule', 'None'];

/** Violations in a taint. */
export const validateTaint = ({ key, value = '', effect }: DeviceTaint, field: FieldPath): FieldError[] => [
  ...check(child(field, 'key'), key ?? '', qualifiedName),
  ...check(child(field, 'value'), value, labelValueFormat),
  ...oneOf(child(field, 'effect'), effect, effects),
];

/** Violations in what tolerates taints. */
export function validateToleration(toleration: DeviceToleration, field: FieldPath): FieldError[] {
  const { key = '', operator = '', value = '', effect = '' } = toleration;
  const place = child(field, 'value');
  return [
    ...(key === '' ? [] : check(child(field, 'key'), key, qualifiedName)),
    ...(operator === 'Exists' && value !== ''
      ? [invalidValue(place, value, 'must be empty for operator `Exists`')]
      : []),
    ...(operator === 'Equal' ? check(place, value, labelValueFormat) : []),
    ...oneOf(child(field, 'operator'), operator, operators),
    ...(effect === '' ? [] : oneOf(child(field, 'effect'), effect, effects)),
  ];
}

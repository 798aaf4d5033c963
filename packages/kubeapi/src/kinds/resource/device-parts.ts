/** What device classes and claims have in common (upstream: pkg/apis/resource/validation). */

import {
  DeviceSelector as CompiledSelector,
  DeviceSelectorError,
} from '../../cel/devices/device-selector.ts';
import type { DeviceClassConfiguration, DeviceSelector } from '../../generated/types.ts';
import { celRunCostMax } from '../../limits.ts';
import {
  child,
  type FieldError,
  type FieldPath,
  forbiddenField,
  invalidValue,
  required,
  tooLong,
} from '../../status/field-error.ts';
import { validateCsiDriverName } from '../../validation/references.ts';
import { validateDriverObject } from './driver-data.ts';
import { validateList } from './lists.ts';

const selectorsMax = 32;
/** Configurations of a class, and of a claim. */
export const configurationsMax = 32;
const expressionBytesMax = 10 * 1024;

/** Selectors: each an expression of bounded length and cost. Needs `loadPatternEngine` where there are any. */
export function validateSelectors(selectors: readonly DeviceSelector[], field: FieldPath): FieldError[] {
  return validateList(field, selectors, selectorsMax, ({ cel }, selector) => {
    const place = child(selector, 'cel');
    if (!cel) return [required(place)];
    const expression = child(place, 'expression');
    const text = cel.expression ?? '';
    return Buffer.byteLength(text) > expressionBytesMax
      ? [tooLong(expression, expressionBytesMax)]
      : expressionErrors(text, expression);
  });
}

function expressionErrors(text: string, field: FieldPath): FieldError[] {
  try {
    return new CompiledSelector(text).costMax > celRunCostMax
      ? [forbiddenField(field, 'too complex, exceeds cost limit')]
      : [];
  } catch (error) {
    if (error instanceof DeviceSelectorError) return [invalidValue(field, text, error.detail)];
    throw error;
  }
}

/** Violations in what drivers are told; of what is stored already (`isStored`) the size is not looked at again. */
export function validateConfiguration(
  { opaque }: DeviceClassConfiguration,
  field: FieldPath,
  isStored = false,
): FieldError[] {
  const place = child(field, 'opaque');
  if (!opaque) return [required(place)];
  const { driver, parameters } = opaque;
  return [
    ...validateCsiDriverName(child(place, 'driver'), driver),
    ...validateDriverObject(child(place, 'parameters'), parameters, isStored),
  ];
}

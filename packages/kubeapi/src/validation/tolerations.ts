/** Violations in the tolerations of a pod. */

import type { Toleration } from '../generated/types.ts';
import { at, child, type FieldError, type FieldPath, invalidValue } from '../status/field-error.ts';
import { labelValueFormat, qualifiedName } from './formats.ts';
import { check } from './metadata.ts';
import { oneOf } from './values.ts';

const comparisons = ['Lt', 'Gt'];

/** Violations in tolerations; comparisons of numbers are taken where `previous` has one. */
export function validateTolerations(
  tolerations: Toleration[],
  field: FieldPath,
  previous: Toleration[] = [],
): FieldError[] {
  const takesComparisons = previous.some(({ operator = '' }) => comparisons.includes(operator));
  return tolerations.flatMap((toleration, index) => {
    const place = at(field, index);
    const { key = '', operator = '', value = '', effect = '' } = toleration;
    const errors = key === '' ? [] : check(child(place, 'key'), key, qualifiedName);
    if (key === '' && operator !== 'Exists') {
      const detail =
        'operator must be Exists when `key` is empty, which means "match all values and all keys"';
      errors.push(invalidValue(child(place, 'operator'), operator, detail));
    }
    if (toleration.tolerationSeconds !== undefined && effect !== 'NoExecute') {
      const detail = "effect must be 'NoExecute' when `tolerationSeconds` is set";
      errors.push(invalidValue(child(place, 'effect'), effect, detail));
    }
    if (operator === 'Exists' && value !== '') {
      errors.push(
        invalidValue(child(place, 'operator'), value, "value must be empty when `operator` is 'Exists'"),
      );
    } else if (operator === 'Equal' || operator === '') {
      const complaint = labelValueFormat(value).join(';');
      if (complaint !== '') errors.push(invalidValue(child(place, 'operator'), value, complaint));
    } else if (takesComparisons && comparisons.includes(operator)) {
      if (!isDecimal(value))
        errors.push(invalidValue(child(place, 'value'), value, 'must be a valid decimal integer'));
    } else if (operator !== 'Exists')
      errors.push(...oneOf(child(place, 'operator'), operator, ['Equal', 'Exists']));
    if (effect !== '')
      errors.push(...oneOf(child(place, 'effect'), effect, ['NoSchedule', 'PreferNoSchedule', 'NoExecute']));
    return errors;
  });
}

/** A whole number of 64 bits in its shortest form. */
const isDecimal = (text: string) =>
  /^(0|-?[1-9]\d{0,18})$/.test(text) && BigInt.asIntN(64, BigInt(text)) === BigInt(text);

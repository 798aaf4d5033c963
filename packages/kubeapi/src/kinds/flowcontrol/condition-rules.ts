import { at, child, duplicate, type FieldError, required } from '../../status/field-error.ts';
import { repeats } from '../../validation/repeats.ts';

/** Violations in the conditions of a status: each has a type, and none has the same. */
export function conditionErrors(conditions: readonly { type?: string }[] = []): FieldError[] {
  const isRepeat = repeats<string>();
  return conditions.flatMap(({ type = '' }, index) => {
    const field = child(at('status.conditions', index), 'type');
    return [...(isRepeat(type) ? [duplicate(field, type)] : []), ...(type === '' ? [required(field)] : [])];
  });
}

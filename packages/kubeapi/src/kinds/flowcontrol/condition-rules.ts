import { at, child, duplicate, type FieldError, required } from '../../status/field-error.ts';

/** Violations in the conditions of a status: each has a type, and none has the same. */
export function conditionErrors(conditions: readonly { type?: string }[] = []): FieldError[] {
  const types = conditions.map(({ type = '' }) => type);
  return types.flatMap((type, index) => {
    const field = child(at('status.conditions', index), 'type');
    return [
      ...(types.indexOf(type) < index ? [duplicate(field, type)] : []),
      ...(type === '' ? [required(field)] : []),
    ];
  });
}

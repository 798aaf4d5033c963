/** Violations in the numbers that a status tells. */

import { ownValue } from '../json/json-value.ts';
import { child, type FieldError, invalidValue } from '../status/field-error.ts';
import { nonNegative } from './metadata.ts';

/** Violations in the numbers of a status: none is negative, and none of `bounded` is above its whole. */
export function validateCounts(
  status: object | undefined,
  names: readonly string[],
  bounded: readonly (readonly [part: string, whole: string])[] = [],
): FieldError[] {
  const count = (name: string) => ownValue(status as Readonly<Record<string, number>> | undefined, name);
  return [
    ...names.flatMap((name) => nonNegative(child('status', name), count(name))),
    ...bounded
      .filter(([part, whole]) => (count(part) ?? 0) > (count(whole) ?? 0))
      .map(([part, whole]) =>
        invalidValue(child('status', part), count(part) ?? 0, `cannot be greater than status.${whole}`),
      ),
  ];
}

/** Violations in a count that only grows. */
export function notDecremented(
  field: string,
  next: number | undefined,
  previous: number | undefined,
): FieldError[] {
  if (previous === undefined || (next !== undefined && next >= previous)) return [];
  return [invalidValue(field, next ?? 0, 'cannot be decremented')];
}

/** Violations in the status of a replica set or a replication controller. */
export function validateReplicaStatus({ status }: { status?: object }): FieldError[] {
  const counts = ['replicas', 'fullyLabeledReplicas', 'readyReplicas', 'availableReplicas'];
  return validateCounts(
    status,
    [...counts, 'observedGeneration', 'terminatingReplicas'],
    [
      ['fullyLabeledReplicas', 'replicas'],
      ['readyReplicas', 'replicas'],
      ['availableReplicas', 'replicas'],
      ['availableReplicas', 'readyReplicas'],
    ],
  );
}

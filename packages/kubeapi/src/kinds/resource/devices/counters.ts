/** Violations in what devices of one machine share, and in what each takes of it. */

import type { Counter, CounterSet, DeviceCounterConsumption } from '../../../generated/types.ts';
import { child, type FieldError, type FieldPath, required } from '../../../status/field-error.ts';
import { dnsLabel } from '../../../validation/formats.ts';
import { check } from '../../../validation/metadata.ts';
import { requiredName } from '../../../validation/references.ts';
import { validateEntries } from '../lists.ts';

const countersMax = 32;
const labelBytesMax = 63;

/** Violations in a set of counters: its name, and a counter at least. */
export const validateCounterSet = ({ name, counters }: CounterSet, field: FieldPath): FieldError[] => [
  ...requiredName(child(field, 'name'), name, dnsLabel),
  ...validateCounters(counters, child(field, 'counters')),
];

/** Violations in what a device takes of a set. */
export const validateConsumption = (
  { counterSet, counters }: DeviceCounterConsumption,
  field: FieldPath,
): FieldError[] => [
  ...requiredName(child(field, 'counterSet'), counterSet, dnsLabel),
  ...validateCounters(counters, child(field, 'counters')),
];

function validateCounters(counters: Readonly<Record<string, Counter>> = {}, field: FieldPath): FieldError[] {
  if (Object.keys(counters).length === 0) return [required(field)];
  return validateEntries(field, counters, {
    most: countersMax,
    shownKeyBytes: labelBytesMax,
    validateKey: (name, place) => check(place, name, dnsLabel),
  });
}

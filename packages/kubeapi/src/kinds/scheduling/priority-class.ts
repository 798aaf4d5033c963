/** Priority classes (upstream: pkg/apis/scheduling/validation). */

import type { PriorityClass } from '../../generated/types.ts';
import { type FieldError, forbiddenField } from '../../status/field-error.ts';
import { age } from '../../table/human-duration.ts';
import { ageColumn, column, nameColumn, type Printer } from '../../table/printer.ts';
import { immutable } from '../../validation/metadata.ts';
import { oneOf } from '../../validation/values.ts';
import type { KindDefinition } from '../definition.ts';

const userPriorityMax = 1_000_000_000;
const systemPriorities: ReadonlyMap<string, number> = new Map([
  ['system-node-critical', 2_000_001_000],
  ['system-cluster-critical', 2_000_000_000],
]);
const preemptionPolicies = ['Never', 'PreemptLowerPriority'];

const printer: Printer<PriorityClass> = {
  columns: [
    ...[nameColumn, column('Value', 'integer'), column('Global-Default', 'boolean'), ageColumn],
    column('PreemptionPolicy'),
  ],
  cells: ({ metadata, value, globalDefault, preemptionPolicy }, nowMs) => [
    ...[metadata.name ?? '', value ?? 0, globalDefault ?? false, age(metadata.creationTimestamp, nowMs)],
    preemptionPolicy ?? '',
  ],
};

/** Priority classes (upstream: pkg/apis/scheduling/validation). */
export const priorityClass: KindDefinition<PriorityClass> = {
  group: 'scheduling.k8s.io',
  kind: 'PriorityClass',
  printer,
  validate: validatePriorityClass,
  validateUpdate: validatePriorityClassUpdate,
  defaults: {
    PriorityClass: { preemptionPolicy: 'PreemptLowerPriority' },
  },
  descriptions: {
    PriorityClass: {
      '': 'How important pods are.',
      value: 'The higher, the more.',
      globalDefault: 'Used where pods name no class.',
    },
  },
};

/** Violations in a priority class: the system's names and heights are the system's. */
function validatePriorityClass({
  metadata,
  value = 0,
  globalDefault,
  preemptionPolicy,
}: PriorityClass): FieldError[] {
  const { name = '' } = metadata;
  const complaint = name.startsWith('system-') ? complaintOfSystem(name, value, globalDefault) : undefined;
  const reserved = "priority class names with 'system-' prefix are reserved for system use only. error: ";
  const isTooHigh = !name.startsWith('system-') && value > userPriorityMax;
  return [
    ...(complaint ? [forbiddenField('metadata.name', reserved + complaint)] : []),
    ...(isTooHigh
      ? [forbiddenField('value', `maximum allowed value of a user defined priority is ${userPriorityMax}`)]
      : []),
    ...(preemptionPolicy === undefined
      ? []
      : oneOf('preemptionPolicy', preemptionPolicy, preemptionPolicies)),
  ];
}

function complaintOfSystem(name: string, value: number, globalDefault = false): string | undefined {
  const expected = systemPriorities.get(name);
  if (expected === undefined) return `${name} is not a known system priority class`;
  if (value !== expected) return `value of ${name} PriorityClass must be ${expected}`;
  return globalDefault ? `globalDefault of ${name} PriorityClass must be false` : undefined;
}

/** Violations in a change of a priority class: value and preemption policy stay. */
function validatePriorityClassUpdate(next: PriorityClass, previous: PriorityClass): FieldError[] {
  const isSame = (next.value ?? 0) === (previous.value ?? 0);
  return [
    ...(isSame ? [] : [forbiddenField('value', 'may not be changed in an update.')]),
    ...immutable('preemptionPolicy', next.preemptionPolicy, previous.preemptionPolicy),
  ];
}

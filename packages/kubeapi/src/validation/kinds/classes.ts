/** Violations in the classes that pods name (upstream: pkg/apis/scheduling/validation, pkg/apis/node/validation). */
import { type FieldError, forbiddenField, notSupported, required } from '../../field-error.ts';
import type { PriorityClass, RuntimeClass } from '../../generated/types.ts';
import { dnsLabel } from '../formats.ts';
import { check, immutable, validateLabels } from '../metadata.ts';
import { validateResources } from '../resource-amounts.ts';
import { validateTolerations } from '../tolerations.ts';

const userPriorityMax = 1_000_000_000;
const systemPriorities: ReadonlyMap<string, number> = new Map([
  ['system-node-critical', 2_000_001_000],
  ['system-cluster-critical', 2_000_000_000],
]);
const preemptionPolicies = ['Never', 'PreemptLowerPriority'];

/** Violations in a priority class: the system's names and heights are the system's. */
export function validatePriorityClass({
  metadata,
  value = 0,
  globalDefault,
  preemptionPolicy,
}: PriorityClass): FieldError[] {
  const { name = '' } = metadata;
  const complaint = name.startsWith('system-') ? complaintOfSystem(name, value, globalDefault) : undefined;
  const reserved = "priority class names with 'system-' prefix are reserved for system use only. error: ";
  const isTooHigh = !name.startsWith('system-') && value > userPriorityMax;
  const isKnown = !preemptionPolicy || preemptionPolicies.includes(preemptionPolicy);
  return [
    ...(complaint ? [forbiddenField('metadata.name', reserved + complaint)] : []),
    ...(isTooHigh
      ? [forbiddenField('value', `maximum allowed value of a user defined priority is ${userPriorityMax}`)]
      : []),
    ...(isKnown ? [] : [notSupported('preemptionPolicy', preemptionPolicy, preemptionPolicies)]),
  ];
}

function complaintOfSystem(name: string, value: number, globalDefault = false): string | undefined {
  const expected = systemPriorities.get(name);
  if (expected === undefined) return `${name} is not a known system priority class`;
  if (value !== expected) return `value of ${name} PriorityClass must be ${expected}`;
  return globalDefault ? `globalDefault of ${name} PriorityClass must be false` : undefined;
}

/** Violations in a change of a priority class: value and preemption policy stay. */
export function validatePriorityClassUpdate(next: PriorityClass, previous: PriorityClass): FieldError[] {
  const isSame = (next.value ?? 0) === (previous.value ?? 0);
  return [
    ...(isSame ? [] : [forbiddenField('value', 'may not be changed in an update.')]),
    ...immutable('preemptionPolicy', next.preemptionPolicy, previous.preemptionPolicy),
  ];
}

/** Violations in a runtime class. */
export function validateRuntimeClass({ handler, overhead, scheduling }: RuntimeClass): FieldError[] {
  return [
    ...(handler ? check('handler', handler, dnsLabel) : [required('handler')]),
    ...(overhead ? validateResources({ limits: overhead.podFixed ?? {} }, 'overhead') : []),
    ...validateLabels(scheduling?.nodeSelector, 'scheduling.nodeSelector'),
    ...validateTolerations(scheduling?.tolerations ?? [], 'scheduling.tolerations'),
  ];
}

/** Violations in a change of a runtime class: it keeps its handler. */
export function validateRuntimeClassUpdate(next: RuntimeClass, previous: RuntimeClass): FieldError[] {
  return immutable('handler', next.handler, previous.handler);
}

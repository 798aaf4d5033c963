/** Violations in changes of stored pods. */

import type { Pod, PodSpec, Toleration } from '../../../../generated/types.ts';
import { type JsonValue, jsonEqual, ownValue } from '../../../../json/json-value.ts';
import { at, child, type FieldError, forbiddenField, invalidValue } from '../../../../status/field-error.ts';
import { inclusiveRange } from '../../../../validation/formats.ts';
import { validateAnnotationChange } from './annotations.ts';
import { narrowedErrors, placementBefore } from './gated.ts';
import { paddedImages, validatePodSpec } from './pod.ts';

const deadlineSecondsMax = 2 ** 31 - 1;
const updatable =
  '`spec.containers[*].image`,`spec.initContainers[*].image`,`spec.activeDeadlineSeconds`,`spec.tolerations` (only additions to existing tolerations),`spec.terminationGracePeriodSeconds` (allow it to be set to 1 if it was previously negative)';

/** Violations in a change of a stored pod by PUT or PATCH on the pod itself. */
export function validatePodUpdate(next: Pod, previous: Pod): FieldError[] {
  const errors = [
    ...validateAnnotationChange(next, previous),
    ...validatePodSpec(next.spec, 'spec', previous.spec),
    ...paddedImages(next.spec),
  ];
  for (const key of ['containers', 'initContainers'] as const) {
    if ((next.spec[key] ?? []).length === (previous.spec[key] ?? []).length) continue;
    return [...errors, forbiddenField(`spec.${key}`, 'pod updates may not add or remove containers')];
  }
  const late = validateDeadline(next.spec, previous.spec);
  errors.push(...late);
  if (late.length > 0 && next.spec.activeDeadlineSeconds !== undefined) return errors;
  errors.push(...onlyAdded(next.spec, previous.spec));
  for (const error of onlyRemoved(next.spec, previous.spec)) errors.push(error);
  for (const error of narrowedErrors(next.spec, previous.spec)) errors.push(error);
  const changed = changedFields(withoutUpdatable(next.spec, previous.spec), previous.spec);
  if (changed.length > 0) {
    const list = changed.map((name) => `spec.${name}`).join(', ');
    errors.push(
      forbiddenField('spec', `pod updates may not change fields other than ${updatable}\nchanged: ${list}`),
    );
  }
  return errors;
}

function validateDeadline({ activeDeadlineSeconds: next }: PodSpec, previous: PodSpec): FieldError[] {
  const field = 'spec.activeDeadlineSeconds';
  const { activeDeadlineSeconds: before } = previous;
  if (next !== undefined && (next < 0 || next > deadlineSecondsMax))
    return [invalidValue(field, next, inclusiveRange(0, deadlineSecondsMax))];
  if (before === undefined) return [];
  if (next === undefined)
    return [invalidValue(field, undefined, 'must not update from a positive integer to nil value')];
  return before < next ? [invalidValue(field, next, 'must be less than or equal to previous value')] : [];
}

function onlyAdded(next: PodSpec, previous: PodSpec): FieldError[] {
  const textOf = ({ key, operator, value, effect }: Toleration) =>
    JSON.stringify([key, operator, value, effect]);
  const now = new Set((next.tolerations ?? []).map(textOf));
  const kept = (previous.tolerations ?? []).every((old) => now.has(textOf(old)));
  const detail = 'existing toleration can not be modified except its tolerationSeconds';
  return kept ? [] : [forbiddenField('spec.tolerations', detail)];
}

/** Gates go, and never come. */
function onlyRemoved(
  { schedulingGates: next = [] }: PodSpec,
  { schedulingGates: before = [] }: PodSpec,
): FieldError[] {
  const known = new Set(before.map(({ name }) => name));
  return next.flatMap(({ name }, index) =>
    known.has(name)
      ? []
      : [
          forbiddenField(
            child(at('spec.schedulingGates', index), 'name'),
            `only deletion is allowed, but found new scheduling gate '${name}'`,
          ),
        ],
  );
}

function withoutUpdatable(next: PodSpec, previous: PodSpec): PodSpec {
  const withOldImages = (key: 'containers' | 'initContainers') =>
    (next[key] ?? []).map(({ image: _image, ...container }, index) => {
      const image = previous[key]?.[index]?.image;
      return image === undefined ? container : { ...container, image };
    });
  return {
    ...next,
    containers: withOldImages('containers'),
    ...(next.initContainers ? { initContainers: withOldImages('initContainers') } : {}),
    activeDeadlineSeconds: previous.activeDeadlineSeconds,
    tolerations: previous.tolerations,
    schedulingGates: previous.schedulingGates,
    terminationGracePeriodSeconds: graceOf(next, previous),
    ...placementBefore(next, previous),
  } as PodSpec;
}

/** A negative period, which older servers took, may become 1. */
function graceOf(
  { terminationGracePeriodSeconds: next }: PodSpec,
  { terminationGracePeriodSeconds: before }: PodSpec,
): number | undefined {
  return next === 1 && before !== undefined && before < 0 ? before : next;
}

function changedFields(next: PodSpec, previous: PodSpec): string[] {
  const left = next as unknown as Record<string, JsonValue>;
  const right = previous as unknown as Record<string, JsonValue>;
  const names = new Set([...Object.keys(left), ...Object.keys(right)]);
  return [...names].filter(
    (name) => !jsonEqual(withoutEmpty(name, ownValue(left, name)), withoutEmpty(name, ownValue(right, name))),
  );
}

const maps = ['nodeSelector', 'overhead'];

/** Empty lists and maps count as absent, as upstream's comparison has it; other objects are there or not. */
function withoutEmpty(name: string, value: JsonValue | undefined): JsonValue | undefined {
  if (value === undefined || value === null) return undefined;
  const isEmpty = Array.isArray(value)
    ? value.length === 0
    : maps.includes(name) && Object.keys(value).length === 0;
  return isEmpty ? undefined : value;
}

/** Violations in a change by the pod's `ephemeralcontainers` sub-resource: containers may only be added. */
export function validateEphemeralContainersUpdate(next: Pod, previous: Pod): FieldError[] {
  const field = 'spec.ephemeralContainers';
  const after = new Map(
    (next.spec.ephemeralContainers ?? []).map((container) => [container.name, container]),
  );
  const errors = (previous.spec.ephemeralContainers ?? []).flatMap((before) => {
    const same = after.get(before.name);
    const quoted = JSON.stringify(before.name);
    if (!same) return [forbiddenField(field, `existing ephemeral containers ${quoted} may not be removed\n`)];
    if (jsonEqual(same as unknown as JsonValue, before as unknown as JsonValue)) return [];
    return [forbiddenField(field, `existing ephemeral containers ${quoted} may not be changed`)];
  });
  return [...validatePodSpec(next.spec, 'spec', previous.spec), ...errors];
}

/** Violations in what a resize asks for. */

import type { Container, Pod, PodSpec, ResourceRequirements } from '../../../../generated/types.ts';
import { type JsonValue, jsonEqual, setOwn } from '../../../../json/json-value.ts';
import {
  at,
  child,
  type FieldError,
  type FieldPath,
  forbiddenField,
} from '../../../../status/field-error.ts';
import { parseQuantity } from '../../../../values/quantity.ts';
import { mirror } from './annotations.ts';
import { validatePodSpec } from './pod.ts';

const resizable = ['cpu', 'memory'];

/** Violations in a change by the pod's `resize` sub-resource: amounts of cpu and memory, none of them removed. */
export function validatePodResize(next: Pod, previous: Pod): FieldError[] {
  const errors = validatePodSpec(next.spec, 'spec', previous.spec);
  if (previous.metadata?.annotations && Object.hasOwn(previous.metadata.annotations, mirror))
    return [forbiddenField('', 'static pods cannot be resized')];
  if (previous.spec.os?.name === 'windows') return [forbiddenField('', 'windows pods cannot be resized')];
  if (!isResizableThere(previous))
    errors.push(forbiddenField('spec', 'Pod running on node without support for resize'));
  errors.push(...validatePodLevel(next.spec, previous.spec));
  if (previous.status?.nodeAllocatableResourceClaimStatuses?.length)
    errors.push(forbiddenField('spec', 'pods with node allocatable resource claims cannot be resized'));
  const order = validateOrder(next.spec, previous.spec);
  if (order.length > 0) return [...errors, ...order];
  for (const key of ['initContainers', 'containers'] as const) {
    for (const [index, before] of (previous.spec[key] ?? []).entries()) {
      const after = next.spec[key]?.[index] ?? before;
      const place = at(child('spec', key), index);
      errors.push(...removed(after.resources, before.resources, child(place, 'resources'), 'resource'));
      errors.push(...validateContainerChange(after, before, key === 'initContainers' ? place : undefined));
    }
  }
  if (errors.length > 0) return errors;
  const isSame = jsonEqual(rest(next.spec), rest(previous.spec));
  return isSame ? [] : [forbiddenField('spec', 'only cpu and memory resources are mutable')];
}

/** A node that tells no resources of its running containers would never act on a resize. */
function isResizableThere({ status }: Pod): boolean {
  const running = status?.containerStatuses?.find(({ state }) => state?.running);
  return running === undefined || running.resources !== undefined;
}

function validatePodLevel({ resources: next }: PodSpec, { resources: previous }: PodSpec): FieldError[] {
  const field = 'spec.resources';
  if (previous && !next) return [forbiddenField(field, 'pod-level resources cannot be removed')];
  const errors = removed(next, previous, field, 'pod-level resource');
  if (!isSameBut(next, previous))
    errors.push(forbiddenField('spec', 'only cpu and memory resources are mutable at pod-level'));
  return errors;
}

function validateOrder(next: PodSpec, previous: PodSpec): FieldError[] {
  return (['containers', 'initContainers'] as const).flatMap((key) => {
    const [after, before] = [next[key] ?? [], previous[key] ?? []];
    const field = child('spec', key);
    if (after.length !== before.length)
      return [forbiddenField(field, `${key} may not be added or removed on resize`)];
    return before.flatMap(({ name }, index) =>
      after[index]?.name === name
        ? []
        : [
            forbiddenField(
              child(at(field, index), 'name'),
              `${key} may not be renamed or reordered on resize`,
            ),
          ],
    );
  });
}

function removed(
  next: ResourceRequirements | undefined,
  previous: ResourceRequirements | undefined,
  field: FieldPath,
  subject: string,
): FieldError[] {
  return (['requests', 'limits'] as const).flatMap((side) => {
    const isGone = Object.keys(previous?.[side] ?? {}).some(
      (name) => !Object.hasOwn(next?.[side] ?? {}, name),
    );
    return isGone ? [forbiddenField(child(field, side), `${subject} ${side} cannot be removed`)] : [];
  });
}

/** `place` is that of an init container; the others are told of as upstream does, all under `spec`. */
function validateContainerChange(
  next: Container,
  previous: Container,
  place: FieldPath | undefined,
): FieldError[] {
  const errors: FieldError[] = [];
  const isSame =
    isSameBut(next.resources, previous.resources) &&
    jsonEqual(withoutResources(next), withoutResources(previous));
  if (!isSame) {
    errors.push(
      place === undefined
        ? forbiddenField('spec', 'only cpu and memory resources are mutable')
        : forbiddenField(place, 'only cpu and memory resources for init or sidecar containers are mutable'),
    );
  }
  if (place === undefined || previous.restartPolicy === 'Always') return errors;
  const isChanged = !isSameAmounts(next.resources, previous.resources, () => true);
  const restarts = (next.resizePolicy ?? []).some(
    ({ restartPolicy }) => restartPolicy === 'RestartContainer',
  );
  const detail = 'non-sidecar init containers with a resize policy of RestartContainer cannot be resized';
  if (isChanged && restarts) errors.push(forbiddenField(place, detail));
  return errors;
}

const withoutResources = ({ resources: _, ...container }: Container) => container as unknown as JsonValue;

/** Whether all but amounts of cpu and memory is the same. */
function isSameBut(next: ResourceRequirements | undefined, previous: ResourceRequirements | undefined) {
  const isFixed = (name: string) => !resizable.includes(name);
  const claims = (of: ResourceRequirements | undefined) => (of?.claims ?? []) as unknown as JsonValue;
  return isSameAmounts(next, previous, isFixed) && jsonEqual(claims(next), claims(previous));
}

function isSameAmounts(
  next: ResourceRequirements | undefined,
  previous: ResourceRequirements | undefined,
  isCounted: (name: string) => boolean,
): boolean {
  return (['requests', 'limits'] as const).every((side) => {
    const [after, before] = [new Map(Object.entries(next?.[side] ?? {})), previous?.[side] ?? {}];
    const names = new Set([...after.keys(), ...Object.keys(before)].filter(isCounted));
    return [...names].every((name) => {
      const [one, other] = [after.get(name), new Map(Object.entries(before)).get(name)];
      if (one === undefined || other === undefined) return false;
      return parseQuantity(one).cmp(parseQuantity(other)) === 0;
    });
  });
}

/** What neither a container's resources nor the pod's are of. */
function rest(spec: PodSpec): JsonValue {
  const { resources: _, ...own } = spec;
  const copy: Record<string, JsonValue> = {};
  for (const [name, value] of Object.entries(own)) setOwn(copy, name, value as unknown as JsonValue);
  for (const key of ['containers', 'initContainers'] as const)
    setOwn(copy, key, (spec[key] ?? []).map(withoutResources));
  return copy;
}

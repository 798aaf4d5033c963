/** Violations in what only services of type LoadBalancer have. */

import type { Service, ServiceSpec } from '../../../generated/types.ts';
import { at, type FieldError, forbiddenField, invalidValue, required } from '../../../status/field-error.ts';
import { validateCidr } from '../../../validation/addresses/cidr.ts';
import { qualifiedName } from '../../../validation/formats.ts';
import { check } from '../../../validation/metadata.ts';

const switchField = 'spec.allocateLoadBalancerNodePorts';
const classField = 'spec.loadBalancerClass';
/** Upstream spells this one with a capital. */
const rangesField = 'spec.LoadBalancerSourceRanges';

/** Where ranges stood before there was a field for them. */
const rangesAnnotation = 'service.beta.kubernetes.io/load-balancer-source-ranges';
const annotationField = `metadata.annotations[${rangesAnnotation}]`;

const isBalanced = (spec: ServiceSpec) => spec.type === 'LoadBalancer';
const onlyBalanced = (field: string) =>
  forbiddenField(field, "may only be used when `type` is 'LoadBalancer'");

/** Violations within a service; ranges of before stay. Spaces around a range are part of the API. */
export function validateLoadBalancer({ metadata, spec }: Service, previous?: Service): FieldError[] {
  const before = previous?.spec.loadBalancerSourceRanges ?? [];
  const { allocateLoadBalancerNodePorts, loadBalancerClass, loadBalancerSourceRanges = [] } = spec;
  const known = before.map((range) => range.trim());
  const broken = loadBalancerSourceRanges.flatMap((range, index) =>
    known.includes(range.trim()) ? [] : validateCidr(at(rangesField, index), range.trim()),
  );
  const annotated =
    loadBalancerSourceRanges.length > 0
      ? []
      : annotationErrors(
          { spec, text: metadata.annotations?.[rangesAnnotation] },
          previous?.metadata.annotations?.[rangesAnnotation],
        );
  if (!isBalanced(spec)) {
    return [
      ...(allocateLoadBalancerNodePorts === undefined ? [] : [onlyBalanced(switchField)]),
      ...(loadBalancerClass === undefined ? [] : [onlyBalanced(classField)]),
      ...(loadBalancerSourceRanges.length > 0 ? [onlyBalanced(rangesField)] : []),
      ...broken,
      ...annotated,
    ];
  }
  return [
    ...(allocateLoadBalancerNodePorts === undefined ? [required(switchField)] : []),
    ...(loadBalancerClass === undefined ? [] : check(classField, loadBalancerClass, qualifiedName)),
    ...broken,
    ...annotated,
  ];
}

/** Violations in ranges that an annotation has; one that stays as it was is not doubted again. */
function annotationErrors(
  { spec, text }: { spec: ServiceSpec; text: string | undefined },
  before: string | undefined,
): FieldError[] {
  if (text === undefined) return [];
  const ranges = text === before || text.trim() === '' ? [] : text.split(',');
  return [
    ...(isBalanced(spec) ? [] : [onlyBalanced(annotationField)]),
    ...ranges.flatMap((range) => validateCidr(annotationField, range.trim())),
  ];
}

/** Violations in a change: who balances a service's load stays. */
export function validateLoadBalancerChange(
  { spec: next }: Service,
  { spec: previous }: Service,
): FieldError[] {
  const stays = isBalanced(next) && isBalanced(previous);
  if (!stays || next.loadBalancerClass === previous.loadBalancerClass) return [];
  return [invalidValue(classField, next.loadBalancerClass, 'may not change once set')];
}

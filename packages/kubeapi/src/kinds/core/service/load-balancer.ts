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

/** Violations within a service; ranges of before stay. Spaces around a range are part of the API. */
export function validateLoadBalancer(spec: ServiceSpec, before: readonly string[] = []): FieldError[] {
  const { allocateLoadBalancerNodePorts, loadBalancerClass, loadBalancerSourceRanges = [] } = spec;
  const known = before.map((range) => range.trim());
  const broken = loadBalancerSourceRanges.flatMap((range, index) =>
    known.includes(range.trim()) ? [] : validateCidr(at(rangesField, index), range.trim()),
  );
  if (spec.type !== 'LoadBalancer') {
    const refuse = (field: string) => forbiddenField(field, "may only be used when `type` is 'LoadBalancer'");
    return [
      ...(allocateLoadBalancerNodePorts === undefined ? [] : [refuse(switchField)]),
      ...(loadBalancerClass === undefined ? [] : [refuse(classField)]),
      ...(loadBalancerSourceRanges.length > 0 ? [refuse(rangesField)] : []),
      ...broken,
    ];
  }
  return [
    ...(allocateLoadBalancerNodePorts === undefined ? [required(switchField)] : []),
    ...(loadBalancerClass === undefined ? [] : check(classField, loadBalancerClass, qualifiedName)),
    ...broken,
  ];
}

/** Violations in a change: who balances a service's load stays. */
export function validateLoadBalancerChange(
  { spec: next }: Service,
  { spec: previous }: Service,
): FieldError[] {
  const isBalanced = next.type === 'LoadBalancer' && previous.type === 'LoadBalancer';
  if (!isBalanced || next.loadBalancerClass === previous.loadBalancerClass) return [];
  return [invalidValue(classField, next.loadBalancerClass, 'may not change once set')];
}

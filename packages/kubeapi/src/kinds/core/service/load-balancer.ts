/** Violations in what only services of type LoadBalancer have. */

import type { Service, ServiceSpec } from '../../../generated/types.ts';
import { at, type FieldError, forbiddenField, invalidValue, required } from '../../../status/field-error.ts';
import { validateCidr } from '../../../validation/cidr.ts';
import { qualifiedName } from '../../../validation/formats.ts';
import { check } from '../../../validation/metadata.ts';

const switchField = 'spec.allocateLoadBalancerNodePorts';
const classField = 'spec.loadBalancerClass';
const rangesField = 'spec.loadBalancerSourceRanges';

/** Violations within a service. */
export function validateLoadBalancer(spec: ServiceSpec): FieldError[] {
  const { allocateLoadBalancerNodePorts, loadBalancerClass, loadBalancerSourceRanges = [] } = spec;
  if (spec.type !== 'LoadBalancer') {
    const refuse = (field: string) => forbiddenField(field, "may only be used when `type` is 'LoadBalancer'");
    return [
      ...(allocateLoadBalancerNodePorts === undefined ? [] : [refuse(switchField)]),
      ...(loadBalancerClass === undefined ? [] : [refuse(classField)]),
      ...(loadBalancerSourceRanges.length > 0 ? [refuse(rangesField)] : []),
    ];
  }
  return [
    ...(allocateLoadBalancerNodePorts === undefined ? [required(switchField)] : []),
    ...(loadBalancerClass === undefined ? [] : check(classField, loadBalancerClass, qualifiedName)),
    ...loadBalancerSourceRanges.flatMap((range, index) => validateCidr(at(rangesField, index), range.trim())),
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

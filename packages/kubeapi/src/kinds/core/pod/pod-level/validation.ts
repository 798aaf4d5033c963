/** Violations in what a pod declares as a whole. */

import type { Container, PodSpec } from '../../../../generated/types.ts';
import { ownValue } from '../../../../json/json-value.ts';
import {
  at,
  child,
  type FieldError,
  type FieldPath,
  forbiddenField,
  invalidValue,
  notSupported,
} from '../../../../status/field-error.ts';
import { isStandardResource, validateResources } from '../../../../validation/resource-amounts.ts';
import { type Amounts, amountsOf, isPodLevelResource, sumOfContainers } from '../../../../values/amounts.ts';
import { parseQuantity } from '../../../../values/quantity.ts';

type Side = 'requests' | 'limits';

/** Of cpu, memory and huge pages, no less than its containers together ask for, nor than one of them may use. */
export function validatePodLevelResources(spec: PodSpec, field: FieldPath): FieldError[] {
  const { resources } = spec;
  if (!resources) return [];
  if (spec.os?.name === 'windows') return [forbiddenField(field, 'may not be set for a windows pod')];
  const claims = resources.claims
    ? [forbiddenField(child(field, 'claims'), 'claims may not be set for Resources at pod-level')]
    : [];
  return [
    ...claims,
    ...validateResources(resources, field, podLevelName),
    ...atLeast(spec, 'requests', field, () => true),
    ...atLeast(spec, 'limits', field, (name) => name.startsWith('hugepages-')),
    ...(spec.containers ?? []).flatMap((container, index) => withinPod(container, index, spec, field)),
  ];
}

function podLevelName(name: string, field: FieldPath): FieldError[] {
  if (isPodLevelResource(name)) return [];
  if (!name.includes('/') && !isStandardResource(name))
    return [invalidValue(field, name, 'must be a standard resource type or fully qualified')];
  return [notSupported(field, name, ['cpu', 'hugepages-', 'memory'])];
}

/** What the pod declares of a side is not less than its containers together. */
function atLeast(
  spec: PodSpec,
  side: Side,
  field: FieldPath,
  isCounted: (name: string) => boolean,
): FieldError[] {
  const sum: Amounts = sumOfContainers<Container>(spec, ({ resources }) => amountsOf(resources?.[side]));
  return [...sum].flatMap(([name, together]) => {
    const own = ownValue(spec.resources?.[side], name);
    if (!isCounted(name) || own === undefined || together.cmp(parseQuantity(own)) <= 0) return [];
    const detail = `must be greater than or equal to aggregate container ${side} of ${together}`;
    return [invalidValue(at(child(field, side), name), own, detail)];
  });
}

function withinPod(
  { resources }: Container,
  index: number,
  { resources: whole }: PodSpec,
  field: FieldPath,
): FieldError[] {
  return Object.entries(resources?.limits ?? {}).flatMap(([name, limit]) => {
    const own = ownValue(whole?.limits, name);
    if (own === undefined || parseQuantity(limit).cmp(parseQuantity(own)) <= 0) return [];
    const place = child(at(at(child(field, 'containers'), index), name), 'limits');
    return [invalidValue(place, limit, `must be less than or equal to pod limits of ${own}`)];
  });
}

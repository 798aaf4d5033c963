/** Violations in requests and limits. */

import type { ResourceRequirements } from '../generated/types.ts';
import { ownValue } from '../json/json-value.ts';
import {
  at,
  child,
  type FieldError,
  type FieldPath,
  forbiddenField,
  invalidValue,
  required,
} from '../status/field-error.ts';
import { parseQuantity } from '../values/quantity.ts';
import { qualifiedName } from './formats.ts';
import { check } from './metadata.ts';

const standardNames = ['cpu', 'memory', 'ephemeral-storage'];
/** Standard too, but for quotas. */
const countedNames = [
  ...['storage', 'pods', 'services', 'replicationcontrollers', 'resourcequotas', 'secrets', 'configmaps'],
  ...[
    'persistentvolumeclaims',
    'services.loadbalancers',
    'services.nodeports',
    'requests.cpu',
    'requests.memory',
  ],
  ...[
    'limits.cpu',
    'limits.memory',
    'requests.storage',
    'requests.ephemeral-storage',
    'limits.ephemeral-storage',
  ],
];
/** Whether it is one of the names that Kubernetes gives a meaning. */
export const isStandardResource = (name: string): boolean =>
  standardNames.includes(name) || countedNames.includes(name) || isHugePages(name);
const isHugePages = (name: string) => name.startsWith('hugepages-');
/** Whether the name is one of Kubernetes' own, by its form. */
export const isNativeResource = (name: string): boolean =>
  !name.includes('/') || name.includes('kubernetes.io/');
const mayOvercommit = (name: string) => isNativeResource(name) && !isHugePages(name);

/** Violations in a well-formed name of a resource. */
type NameRule = (name: string, field: FieldPath) => FieldError[];

/** Violations in the resources of a container or pod; amounts are quantities already. */
export function validateResources(
  resources: ResourceRequirements | undefined,
  field: FieldPath,
  validateName: NameRule = containerName,
): FieldError[] {
  const { limits = {}, requests = {} } = resources ?? {};
  const amounts = Object.entries({ limits, requests }).flatMap(([kind, list]) =>
    Object.entries(list).flatMap(([name, amount]) =>
      validateAmount({ name, amount, field: at(child(field, kind), name), validateName }),
    ),
  );
  const pairs = Object.entries(requests).flatMap(([name, request]) =>
    validatePair(name, request, ownValue(limits, name), field),
  );
  return [
    ...amounts,
    ...pairs,
    ...lonelyHugePages([...Object.keys(limits), ...Object.keys(requests)], field),
  ];
}

/** Huge pages alone give a pod no class of service. */
function lonelyHugePages(names: readonly string[], field: FieldPath): FieldError[] {
  const isAlone = names.some(isHugePages) && !names.some((name) => name === 'cpu' || name === 'memory');
  return isAlone ? [forbiddenField(field, 'HugePages require cpu or memory')] : [];
}

interface NamedAmount {
  name: string;
  amount: string;
  field: FieldPath;
  validateName: NameRule;
}

function validateAmount({ name, amount, field, validateName }: NamedAmount): FieldError[] {
  const malformed = check(field, name, qualifiedName);
  const errors = [...malformed, ...(malformed.length > 0 ? [] : validateName(name, field))];
  const quantity = parseQuantity(amount);
  if (quantity.sign() < 0) errors.push(invalidValue(field, amount, 'must be greater than or equal to 0'));
  if (!mayOvercommit(name) && !isHugePages(name) && quantity.nanos % 1_000_000_000n !== 0n) {
    errors.push(invalidValue(field, amount, 'must be an integer'));
  }
  return errors;
}

function containerName(name: string, field: FieldPath): FieldError[] {
  if (name.includes('/') || standardNames.includes(name) || isHugePages(name)) return [];
  const unknown = invalidValue(field, name, 'must be a standard resource type or fully qualified');
  const misplaced = invalidValue(field, name, 'must be a standard resource for containers');
  return countedNames.includes(name) ? [misplaced] : [unknown, misplaced];
}

function validatePair(
  name: string,
  request: string,
  limit: string | undefined,
  field: FieldPath,
): FieldError[] {
  const place = child(field, 'requests');
  if (limit === undefined) {
    if (mayOvercommit(name)) return [];
    return [required(child(field, 'limits'), 'Limit must be set for non overcommitable resources')];
  }
  const comparison = parseQuantity(request).cmp(parseQuantity(limit));
  if (comparison !== 0 && !mayOvercommit(name)) {
    return [invalidValue(place, request, `must be equal to ${name} limit of ${limit}`)];
  }
  return comparison > 0
    ? [invalidValue(place, request, `must be less than or equal to ${name} limit of ${limit}`)]
    : [];
}

/** Violations in names of resources, and in amounts of them (upstream: pkg/apis/core/helper). */
import { type FieldError, type FieldPath, invalidValue } from '../status/field-error.ts';
import { parseQuantity } from '../values/quantity.ts';
import { qualifiedName } from './formats.ts';
import { check } from './metadata.ts';
import { isNativeResource } from './resource-amounts.ts';

const counted = [
  ...['pods', 'resourcequotas', 'services', 'replicationcontrollers', 'secrets', 'persistentvolumeclaims'],
  ...['configmaps', 'services.nodeports', 'services.loadbalancers'],
];
const containerNames = ['cpu', 'memory', 'ephemeral-storage'];
const quotaNames = new Set([
  ...[...containerNames, ...counted],
  ...[...containerNames, 'storage'].map((name) => `requests.${name}`),
  ...containerNames.map((name) => `limits.${name}`),
]);
const isHugePages = (name: string) => name.startsWith('hugepages-');

/** Names that are known, or carry a domain. */
export function validateResourceName(field: FieldPath, name: string): FieldError[] {
  const errors = check(field, name, qualifiedName);
  if (errors.length > 0 || name.includes('/')) return errors;
  if (
    quotaNames.has(name) ||
    name === 'storage' ||
    isHugePages(name) ||
    name.startsWith('requests.hugepages-')
  )
    return [];
  return [invalidValue(field, name, 'must be a standard resource type or fully qualified')];
}

/** Names that a container may ask for. */
export function validateContainerResourceName(field: FieldPath, name: string): FieldError[] {
  const errors = validateResourceName(field, name);
  if (name.includes('/') || containerNames.includes(name) || isHugePages(name)) return errors;
  return [...errors, invalidValue(field, name, 'must be a standard resource for containers')];
}

/** True for what a quota can count by itself. */
export const isQuotaName = (name: string): boolean =>
  quotaNames.has(name) || isHugePages(name) || name.startsWith('requests.hugepages-');

/** Names that a quota may bound. */
export function validateQuotaName(field: FieldPath, name: string): FieldError[] {
  const errors = validateResourceName(field, name);
  if (name.includes('/') || isQuotaName(name)) return errors;
  return [...errors, invalidValue(field, name, 'must be a standard resource for quota')];
}

/** Not negative, and whole for what is counted. */
export function validateResourceAmount(field: FieldPath, name: string, amount: string): FieldError[] {
  const { nanos } = parseQuantity(amount);
  const isExtended =
    !isNativeResource(name) &&
    !name.startsWith('requests.') &&
    qualifiedName(`requests.${name}`).length === 0;
  const isWhole = counted.includes(name) || isExtended;
  return [
    ...(nanos < 0n ? [invalidValue(field, amount, 'must be greater than or equal to 0')] : []),
    ...(isWhole && nanos % 1_000_000_000n !== 0n ? [invalidValue(field, amount, 'must be an integer')] : []),
  ];
}

/** True for what may be promised more often than it is there. */
export const mayOvercommit = (name: string): boolean => !name.includes('/') && !isHugePages(name);

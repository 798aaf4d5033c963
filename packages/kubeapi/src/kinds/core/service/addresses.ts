/** Violations in the addresses of services and their families (upstream: ValidateServiceClusterIPsRelatedFields). */

import type { Service, ServiceSpec } from '../../../generated/types.ts';
import {
  at,
  duplicate,
  type FieldError,
  invalidValue,
  notSupported,
  required,
} from '../../../status/field-error.ts';
import { ipAddress } from '../../../validation/formats.ts';
import { check } from '../../../validation/metadata.ts';
import { repeats } from '../../../validation/repeats.ts';

const addressesField = 'spec.clusterIPs';
const familiesField = 'spec.ipFamilies';
const policyField = 'spec.ipFamilyPolicy';
const families = ['IPv4', 'IPv6'];
const policies = ['PreferDualStack', 'RequireDualStack', 'SingleStack'];

/** Violations within a service, whatever the cluster has; addresses of before stay. */
export function validateServiceAddresses(spec: ServiceSpec, before: readonly string[] = []): FieldError[] {
  // What has only a name is looked at elsewhere.
  if (spec.type === 'ExternalName') return [];
  const { clusterIPs = [] } = spec;
  const errors = [
    ...firstErrors(spec),
    ...familyErrors(spec.ipFamilies ?? []),
    ...(spec.ipFamilyPolicy === undefined || policies.includes(spec.ipFamilyPolicy)
      ? []
      : [notSupported(policyField, spec.ipFamilyPolicy, policies)]),
  ];
  const broken = clusterIPs.flatMap((address, index) => {
    if (index > 0 || address !== 'None')
      return before.includes(address) ? [] : check(at(addressesField, index), address, ipAddress);
    const detail = "'None' must be the first and only value";
    return clusterIPs.length > 1 ? [invalidValue(addressesField, clusterIPs, detail)] : [];
  });
  const tooMany =
    clusterIPs.length > 2 ? [invalidValue(addressesField, clusterIPs, 'may only hold up to 2 values')] : [];
  if (broken.length > 0) return [...errors, ...broken, ...tooMany];
  return [...errors, ...tooMany, ...mixErrors(spec)];
}

/** Violations in a change: the first address and its family stay, a second one goes where the policy says so. */
export function validateServiceAddressChange(next: Service, previous: Service): FieldError[] {
  if ([next, previous].some(({ spec }) => spec.type === 'ExternalName')) return [];
  const [isHeadless, wasHeadless] = [isWithoutAddress(next), isWithoutAddress(previous)];
  if (isHeadless && wasHeadless) return [];
  const isUnset = addressesOf(next).length === 0;
  const addresses = changeErrors(addressesOf(next), addressesOf(previous), {
    ...{ isUnset, field: addressesField, one: 'clusterIP', policy: next.spec.ipFamilyPolicy },
  });
  if (isHeadless !== wasHeadless) return addresses;
  return [
    ...addresses,
    ...changeErrors(next.spec.ipFamilies ?? [], previous.spec.ipFamilies ?? [], {
      ...{ isUnset, field: familiesField, one: 'ipFamily', policy: next.spec.ipFamilyPolicy },
    }),
  ];
}

const addressesOf = ({ spec }: Service) => spec.clusterIPs ?? [];
const isWithoutAddress = (service: Service) => addressesOf(service)[0] === 'None';

function changeErrors(
  next: readonly string[],
  previous: readonly string[],
  {
    field,
    one,
    policy,
    isUnset,
  }: { field: string; one: string; policy: string | undefined; isUnset: boolean },
): FieldError[] {
  const kept = next.length < previous.length ? next.length : previous.length;
  const count = next.length === previous.length ? kept : Math.min(kept, 1);
  const changed = [...previous.keys()].filter((index) => index < count && next[index] !== previous[index]);
  const errors = changed.map((index) => invalidValue(at(field, index), [...next], 'may not change once set'));
  if (next.length < previous.length && isUnset)
    return [invalidValue(at(field, 0), [...next], `primary ${one} can not be unset`)];
  const isReleased = next.length === 1 && previous.length > 1;
  if (!isReleased || policy === 'SingleStack') return errors;
  const detail = `must be set to 'SingleStack' when releasing the secondary ${one}`;
  return [...errors, invalidValue(policyField, policy, detail)];
}

function firstErrors({ clusterIP, clusterIPs = [] }: ServiceSpec): FieldError[] {
  if (!clusterIP && clusterIPs.length > 0)
    return [invalidValue(addressesField, clusterIPs, 'must be empty when `clusterIP` is not specified')];
  if (!clusterIP || clusterIPs[0] === clusterIP) return [];
  if (clusterIPs.length === 0) return [required(addressesField)];
  return [invalidValue(addressesField, clusterIPs, 'first value must match `clusterIP`')];
}

function familyErrors(named: readonly string[]): FieldError[] {
  const isRepeat = repeats<string>();
  return named.flatMap((family, index) => [
    ...(families.includes(family) ? [] : [notSupported(at(familiesField, index), family, families)]),
    ...(isRepeat(family) ? [duplicate(at(familiesField, index), family)] : []),
  ]);
}

/** Two addresses are of two families, and of those that are named, in their order. */
function mixErrors({ clusterIPs = [], ipFamilies = [] }: ServiceSpec): FieldError[] {
  if (clusterIPs[0] === 'None') return [];
  const found = clusterIPs.map((address) => (address.includes(':') ? 'IPv6' : 'IPv4'));
  const isMixed = clusterIPs.length < 2 || (found.includes('IPv4') && found.includes('IPv6'));
  const detail = 'may specify no more than one IP for each IP family';
  return [
    ...(isMixed ? [] : [invalidValue(addressesField, clusterIPs, detail)]),
    ...found.flatMap((family, index) => {
      const wanted = ipFamilies[index];
      if (!wanted || wanted === family || !families.includes(wanted)) return [];
      const expected = `expected an ${wanted} value as indicated by \`ipFamilies[${index}]\``;
      return [invalidValue(at(addressesField, index), clusterIPs[index], expected)];
    }),
  ];
}

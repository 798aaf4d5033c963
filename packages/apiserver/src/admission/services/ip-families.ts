import { isDeepStrictEqual } from 'node:util';
import { type FieldError, invalidValue, type ServiceSpec, validateServiceAddresses } from '@wherry/kubeapi';
import { familyOfAddress, type IpFamily } from './address-range.ts';

const policyField = 'spec.ipFamilyPolicy';

/**
 * True for a service that prefers both families and keeps what it has: it gets no second address, and loses none, only
 * because the cluster has more or fewer families than before (upstream: isMatchingPreferDualStackClusterIPFields).
 */
export function keepsPreference(spec: ServiceSpec, before: ServiceSpec | undefined): boolean {
  if (!before || spec.type !== before.type) return false;
  const isPreferred = [spec, before].every(({ ipFamilyPolicy }) => ipFamilyPolicy === 'PreferDualStack');
  return isPreferred && isSame(spec, before, 'clusterIPs', 'ipFamilies');
}

/**
 * Gives a service its policy and its families, of those that the cluster has, the first for who names none; answers what is
 * wrong with what it asks for (upstream: initIPFamilyFields).
 */
export function settleFamilies(
  spec: ServiceSpec,
  before: ServiceSpec | undefined,
  cluster: readonly IpFamily[],
): FieldError[] {
  const isFree = isWithoutAddressAndSelector(spec);
  spec.ipFamilyPolicy ||= before?.ipFamilyPolicy || (isFree ? 'RequireDualStack' : 'SingleStack');
  const broken = validateServiceAddresses(spec);
  if (broken.length > 0) return broken;
  const refused = [...(before ? releaseErrors(spec, before) : []), ...countErrors(spec)];
  const unknown = inferFamilies(spec, cluster);
  if (refused.length + unknown.length > 0) return [...refused, ...unknown];
  const isSingle = spec.ipFamilyPolicy === 'SingleStack';
  const asked = spec.ipFamilies ?? [];
  // Whoever writes its endpoints knows their families, whatever those of services are.
  const errors = isFree ? [] : clusterErrors(spec, cluster);
  if (errors.length > 0) return errors;
  const [first = cluster[0]!, second] = asked;
  const other: IpFamily = first === 'IPv4' ? 'IPv6' : 'IPv4';
  const getsOther = !isSingle && (isFree || cluster.length === 2);
  spec.ipFamilies = [first, ...(second ? [second] : getsOther ? [other] : [])];
  return [];
}

function isWithoutAddressAndSelector({ clusterIP, selector }: ServiceSpec): boolean {
  return clusterIP === 'None' && Object.keys(selector ?? {}).length === 0;
}

function isSame(spec: ServiceSpec, before: ServiceSpec, ...fields: ('clusterIPs' | 'ipFamilies')[]): boolean {
  return fields.every((field) => isDeepStrictEqual(spec[field] ?? [], before[field] ?? []));
}

/** A second address goes where the policy says so, and only there. */
function releaseErrors(spec: ServiceSpec, before: ServiceSpec): FieldError[] {
  const policy = spec.ipFamilyPolicy;
  if (policy === 'SingleStack') {
    const { clusterIPs = [], ipFamilies = [] } = spec;
    if (isSame(spec, before, 'clusterIPs')) spec.clusterIPs = clusterIPs.slice(0, 1);
    if (isSame(spec, before, 'ipFamilies')) spec.ipFamilies = ipFamilies.slice(0, 1);
    return [];
  }
  const isReduced = (field: 'clusterIPs' | 'ipFamilies') => {
    const count = spec[field]?.length ?? 0;
    return count > 0 && count < (before[field]?.length ?? 0);
  };
  const refuse = (what: string) =>
    invalidValue(policyField, policy, `must be 'SingleStack' to release the secondary ${what}`);
  return [
    ...(isReduced('clusterIPs') ? [refuse('cluster IP')] : []),
    ...(isReduced('ipFamilies') ? [refuse('IP family')] : []),
  ];
}

function countErrors({ ipFamilyPolicy, clusterIPs, ipFamilies }: ServiceSpec): FieldError[] {
  if (ipFamilyPolicy !== 'SingleStack') return [];
  const refuse = (what: string) => {
    const detail = `must be 'RequireDualStack' or 'PreferDualStack' when multiple ${what} are specified`;
    return invalidValue(policyField, ipFamilyPolicy, detail);
  };
  return [
    ...(clusterIPs?.length === 2 ? [refuse('cluster IPs')] : []),
    ...(ipFamilies?.length === 2 ? [refuse('IP families')] : []),
  ];
}

/** Addresses that somebody asks for say which families they are of. */
function inferFamilies(spec: ServiceSpec, cluster: readonly IpFamily[]): FieldError[] {
  const { clusterIPs = [] } = spec;
  if (clusterIPs[0] === 'None') return [];
  const families = clusterIPs.map(familyOfAddress);
  const named = spec.ipFamilies?.length ?? 0;
  const errors = families.flatMap((family, index) => {
    if (index < named || cluster.includes(family)) return [];
    return [
      invalidValue(`spec.clusterIPs[${index}]`, clusterIPs, `${family} is not configured on this cluster`),
    ];
  });
  if (families.length > named) spec.ipFamilies = [...(spec.ipFamilies ?? []), ...families.slice(named)];
  return errors;
}

function clusterErrors({ ipFamilies = [], ipFamilyPolicy }: ServiceSpec, cluster: readonly IpFamily[]) {
  const isRequired = ipFamilyPolicy === 'RequireDualStack' && cluster.length < 2;
  const detail = 'this cluster is not configured for dual-stack services';
  return [
    ...(isRequired ? [invalidValue(policyField, ipFamilyPolicy, detail)] : []),
    ...ipFamilies.flatMap((family, index) =>
      cluster.some((each) => each === family)
        ? []
        : [invalidValue(`spec.ipFamilies[${index}]`, family, 'not configured on this cluster')],
    ),
  ];
}

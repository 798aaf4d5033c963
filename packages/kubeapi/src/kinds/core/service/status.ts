/** Violations in the status of a service: what its load balancer has (upstream: pkg/apis/core/validation). */
import type { LoadBalancerIngress, Service } from '../../../generated/types.ts';
import {
  at,
  child,
  type FieldError,
  forbiddenField,
  invalidValue,
  notSupported,
  required,
} from '../../../status/field-error.ts';
import { dnsSubdomain, ipAddress } from '../../../validation/formats.ts';
import { check } from '../../../validation/metadata.ts';
import { familyOf } from '../../../values/ip-address.ts';

const field = 'status.loadBalancer.ingress';
const modes = ['Proxy', 'VIP'];

/** Violations in a status; addresses of before stay. */
export function validateServiceStatus({ spec, status }: Service, previous?: Service): FieldError[] {
  const known = (previous?.status?.loadBalancer?.ingress ?? []).map(({ ip }) => ip);
  const entries = status?.loadBalancer?.ingress ?? [];
  if (spec?.type !== 'LoadBalancer' && entries.length > 0) {
    return [forbiddenField(field, "may only be used when `spec.type` is 'LoadBalancer'")];
  }
  return entries.flatMap((entry, index) => validateEntry(entry, at(field, index), known));
}

function validateEntry(
  { ip, ipMode, hostname }: LoadBalancerIngress,
  place: string,
  known: readonly (string | undefined)[],
): FieldError[] {
  return [
    ...(ip && !known.includes(ip) ? check(child(place, 'ip'), ip, ipAddress) : []),
    ...validateMode(ip, ipMode, child(place, 'ipMode')),
    ...(hostname ? check(child(place, 'hostname'), hostname, dnsSubdomain) : []),
    ...(hostname && familyOf(hostname) !== 0
      ? [invalidValue(child(place, 'hostname'), hostname, 'must be a DNS name, not an IP address')]
      : []),
  ];
}

function validateMode(ip: string | undefined, mode: string | undefined, place: string): FieldError[] {
  if (mode === undefined) return ip ? [required(place, 'must be specified when `ip` is set')] : [];
  if (!ip) return [forbiddenField(place, 'may not be specified when `ip` is not set')];
  return modes.includes(mode) ? [] : [notSupported(place, mode, modes)];
}

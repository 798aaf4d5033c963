import type { PodSpec } from '../../../../generated/types.ts';
import {
  child,
  type FieldError,
  type FieldPath,
  forbiddenField,
  tooLong,
} from '../../../../status/field-error.ts';
import { dnsSubdomain } from '../../../../validation/formats.ts';
import { check } from '../../../../validation/metadata.ts';

const hostnameMax = 64;

/** A name that stands for all others is a DNS subdomain, and goes with no field that names the host too. */
export function validateHostnameOverride(spec: PodSpec, field: FieldPath): FieldError[] {
  const { hostnameOverride: name } = spec;
  if (name === undefined) return [];
  const place = child(field, 'hostnameOverride');
  const rivals = (['setHostnameAsFQDN', 'hostNetwork'] as const).filter((key) => spec[key]);
  return [
    ...rivals.map((key) => forbiddenField(place, `may not be specified when ${key} is true`)),
    ...(name.length > hostnameMax ? [tooLong(place, hostnameMax)] : []),
    ...check(place, name, dnsSubdomain),
  ];
}

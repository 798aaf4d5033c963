/** Violations in names of other objects, and in names that carry a domain. */
import { type FieldError, type FieldPath, invalidValue, required, tooLong } from '../status/field-error.ts';
import { dnsSubdomain, type FormatCheck, pathSegment } from './formats.ts';
import { check } from './metadata.ts';

/** `Required value`, or violations of the format; a segment of a path unless said otherwise. */
export function requiredName(
  field: FieldPath,
  name: string | undefined,
  format: FormatCheck = pathSegment,
  absent = '',
): FieldError[] {
  return name ? check(field, name, format) : [required(field, absent)];
}

const driverBytesMax = 63;

/** A CSI driver: a DNS subdomain in any case, of 63 bytes. */
export function validateCsiDriverName(field: FieldPath, name: string | undefined): FieldError[] {
  if (!name) return [required(field)];
  return [
    ...(Buffer.byteLength(name) > driverBytesMax ? [tooLong(field, driverBytesMax)] : []),
    ...check(field, name, (text) => dnsSubdomain(text.toLowerCase())),
  ];
}

const pathPattern = /^[A-Za-z0-9/\-._~%!$&'()*+,;=:]+$/;

/** `example.com/controller`. */
export function domainPrefixedPath(field: FieldPath, text: string | undefined): FieldError[] {
  if (!text) return [required(field)];
  const slash = text.indexOf('/');
  const [domain, path] = slash < 0 ? [text, ''] : [text.slice(0, slash), text.slice(slash + 1)];
  if (domain === '' || path === '') {
    return [invalidValue(field, text, 'must be a domain-prefixed path (such as "acme.io/foo")')];
  }
  return [
    ...check(field, domain, dnsSubdomain),
    ...(pathPattern.test(path) ? [] : [invalidValue(field, path, 'must be a valid path of a URL')]),
  ];
}

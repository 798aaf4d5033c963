/** Names that drivers and claims give: of pools, attributes and capacities (upstream: pkg/apis/resource/validation). */

import {
  type FieldError,
  type FieldPath,
  invalidValue,
  required,
  tooLong,
} from '../../status/field-error.ts';
import { dnsSubdomain } from '../../validation/formats.ts';
import { check } from '../../validation/metadata.ts';
import { validateCsiDriverName } from '../../validation/references.ts';

const poolBytesMax = 253;
const domainBytesMax = 63;
const identifierBytesMax = 32;

/** The longest qualified name. */
export const qualifiedNameBytesMax = domainBytesMax + '/'.length + identifierBytesMax;

/** The name of a pool: DNS subdomains with slashes between them. */
export function validatePoolName(field: FieldPath, name = ''): FieldError[] {
  if (name === '') return [required(field)];
  return [
    ...(Buffer.byteLength(name) > poolBytesMax ? [tooLong(field, poolBytesMax)] : []),
    ...name.split('/').flatMap((part) => check(field, part, dnsSubdomain)),
  ];
}

const identifier = /^[A-Za-z_][A-Za-z0-9_]*$/;
const notIdentifier =
  "a valid C identifier must start with alphabetic character or '_', followed by a string of alphanumeric characters or '_' (e.g. 'my_name',  or 'MY_NAME',  or 'MyName', regex used for validation is '[A-Za-z_][A-Za-z0-9_]*')";

function validateIdentifier(name: string, field: FieldPath): FieldError[] {
  return [
    ...(Buffer.byteLength(name) > identifierBytesMax ? [tooLong(field, identifierBytesMax)] : []),
    ...(identifier.test(name) ? [] : [invalidValue(field, name, notIdentifier)]),
  ];
}

/** The name of an attribute or a capacity, `[DOMAIN/]NAME`. What has more slashes is not looked at, as upstream. */
export function validateQualifiedName(text: string, field: FieldPath): FieldError[] {
  const [first = '', second, ...others] = text.split('/');
  if (second === undefined) return validateIdentifier(first, field);
  if (others.length > 0) return [];
  return [
    ...(first === ''
      ? [invalidValue(field, '', 'the domain must not be empty')]
      : validateCsiDriverName(field, first)),
    ...(second === ''
      ? [invalidValue(field, '', 'the name must not be empty')]
      : validateIdentifier(second, field)),
  ];
}

/** The name of an attribute with its domain, `DOMAIN/NAME`. */
export function validateFullName(text: string, field: FieldPath): FieldError[] {
  const detail = 'a fully qualified name must be a domain and a name separated by a slash';
  return [
    ...validateQualifiedName(text, field),
    ...(text.includes('/') ? [] : [invalidValue(field, text, detail)]),
  ];
}

const normalizedUid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
/** With capitals, without dashes, in braces or as a URN. */
const anyUid = /^((urn:uuid:)?U|\{U\}|[0-9a-f]{32})$/i;
const uidLengths = new Set([32, 36, 38, 45]);

/** An id of a share: a UUID in the one way of writing it. */
export function validateUid(field: FieldPath, text: string): FieldError[] {
  if (normalizedUid.test(text)) return [];
  const form =
    'uid must be in RFC 4122 normalized form, `xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx` with lowercase hexadecimal characters';
  if (anyUid.test(text.replace(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/i, 'U')))
    return [invalidValue(field, text, form)];
  const bytes = Buffer.byteLength(text);
  const problem = uidLengths.has(bytes) ? 'invalid UUID format' : `invalid UUID length: ${bytes}`;
  return [invalidValue(field, text, `error validating uid: ${problem}`)];
}

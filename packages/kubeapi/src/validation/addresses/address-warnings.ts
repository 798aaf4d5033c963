/** What is said of addresses and ranges that not all programs read alike (upstream: apimachinery's util/validation/ip.go). */
import type { FieldPath } from '../../status/field-error.ts';
import {
  addressOf,
  canonicalAddress,
  familyOf,
  isMapped,
  plainAddress,
  withoutZeros,
} from '../../values/ip-address.ts';
import { hasZeros, lengthOf, networkOf, networkText, parseCidr } from './cidr.ts';

const quoted = (text: string) => JSON.stringify(text);

/** Warnings of an address; none of what is no address. */
export function addressWarnings(field: FieldPath, text: string): string[] {
  const address = withoutZeros(text);
  if (address === undefined) return [];
  if (familyOf(text) === 0 || isMapped(address))
    return [
      `${field}: non-standard IP address ${quoted(text)} is invalid: use ${quoted(plainAddress(address))}`,
    ];
  const canonical = canonicalAddress(text);
  if (canonical === text) return [];
  return [
    `${field}: IPv6 address ${quoted(text)} should be in RFC 5952 canonical format (${quoted(canonical)})`,
  ];
}

/** Warnings of a range; none of what is no range. */
export function rangeWarnings(field: FieldPath, text: string): string[] {
  const range = parseCidr(text);
  if (!range) return [];
  const [address = '', prefix = ''] = text.split('/');
  const network = quoted(networkText(range));
  const warnings: string[] = [];
  if (networkOf(range) !== range.address) {
    const single = `${plainAddress(addressOf(range.address, range.family))}/${lengthOf(range)}`;
    const either = `(should be ${network} or ${quoted(single)}?)`;
    warnings.push(`${field}: CIDR value ${quoted(text)} is ambiguous in this context ${either}`);
  }
  if (hasZeros(text) || isMapped(address))
    warnings.push(`${field}: non-standard CIDR value ${quoted(text)} is invalid: use ${network}`);
  const canonical = `${canonicalAddress(address)}/${prefix}`;
  if (warnings.length > 0 || canonical === text) return warnings;
  return [
    `${field}: IPv6 CIDR value ${quoted(text)} should be in RFC 5952 canonical format (${quoted(canonical)})`,
  ];
}

/** Ranges of addresses. */
import { type FieldError, type FieldPath, invalidValue } from '../../status/field-error.ts';
import {
  addressOf,
  familyOf,
  isMapped,
  numberOf,
  plainAddress,
  withoutZeros,
} from '../../values/ip-address.ts';

/** A range: its first bits are what counts. */
export interface Cidr {
  family: 4 | 6;
  /** The address as a number. */
  address: bigint;
  prefixBits: number;
}

const bitsOf = { 4: 32, 6: 128 } as const;

/** The range, or undefined for what is none. Old objects may have zeros in front of numbers. */
export function parseCidr(text: string): Cidr | undefined {
  const [, written = '', prefix = ''] = /^([^/%]+)\/(\d{1,8})$/.exec(text) ?? [];
  const address = withoutZeros(written);
  if (address === undefined) return undefined;
  const family = familyOf(address) === 4 ? 4 : 6;
  const prefixBits = Number(prefix);
  if (prefixBits > bitsOf[family]) return undefined;
  return { family, address: numberOf(address), prefixBits };
}

/** `must be a valid CIDR value`, in the form in which all programs read it alike. */
export function validateCidr(field: FieldPath, text: string): FieldError[] {
  const range = parseCidr(text);
  const invalid = (detail: string) => [invalidValue(field, text, detail)];
  if (!range) return invalid('must be a valid CIDR value, (e.g. 10.9.8.0/24 or 2001:db8::/64)');
  if (hasZeros(text)) return invalid('must not have leading 0s in IP or prefix length');
  if (isMapped(text.replace(/\/.*/, ''))) return invalid('must not have an IPv4-mapped IPv6 address');
  if (networkOf(range) !== range.address) return invalid('must not have bits set beyond the prefix length');
  return [];
}

/** The same, in the one way of writing it. */
export function validateNetwork(field: FieldPath, text: string): FieldError[] {
  const errors = validateCidr(field, text);
  const range = parseCidr(text);
  if (errors.length > 0 || !range) return errors;
  const canonical = networkText(range);
  return canonical === text ? [] : [invalidValue(field, text, `must be in canonical form ("${canonical}")`)];
}

/** An address and the prefix of its network, in the shortest form. IPv4 that is mapped into IPv6 is IPv4. */
export function validateInterfaceAddress(field: FieldPath, text: string): FieldError[] {
  const range = parseCidr(text);
  if (!range) {
    const detail = 'must be a valid address in CIDR form, (e.g. 10.9.8.7/24 or 2001:db8::1/64)';
    return [invalidValue(field, text, detail)];
  }
  const canonical = textOf(range);
  return canonical === text ? [] : [invalidValue(field, text, `must be in canonical form ("${canonical}")`)];
}

/** A range in the one way of writing it, without the bits beyond its prefix. */
export const networkText = (range: Cidr): string => textOf({ ...range, address: networkOf(range) });

/** The address of a range without the bits beyond its prefix. */
export function networkOf({ family, address, prefixBits }: Cidr): bigint {
  const rest = BigInt(bitsOf[family] - prefixBits);
  return (address >> rest) << rest;
}

/** The range of one address: as many bits as its family has. */
export const lengthOf = ({ family }: Cidr): number => bitsOf[family];

/** Whether numbers of a range have zeros in front. */
export function hasZeros(text: string): boolean {
  const [address = '', prefix = ''] = text.split('/');
  return familyOf(address) === 0 || /^0\d/.test(prefix);
}

function textOf({ family, address, prefixBits }: Cidr): string {
  const written = plainAddress(addressOf(address, family));
  const isWrittenAsFour = family === 6 && !written.includes(':');
  return `${written}/${isWrittenAsFour ? Math.max(0, prefixBits - 96) : prefixBits}`;
}

/** Also what is mapped into IPv6. */
const isIpv4 = (range: Cidr): boolean => range.family === 4 || networkOf(range) >> 32n === 0xffffn;

/** True when all of `inner` is in `outer`, and not all of `outer`. */
export function isStrictSubset(inner: Cidr, outer: Cidr): boolean {
  if (inner.family !== outer.family || inner.prefixBits <= outer.prefixBits) return false;
  if (isIpv4(inner) !== isIpv4(outer)) return false;
  const rest = BigInt(bitsOf[outer.family] - outer.prefixBits);
  return inner.address >> rest === outer.address >> rest;
}

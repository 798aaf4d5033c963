/** Ranges of addresses. */
import { isIP, SocketAddress } from 'node:net';
import { type FieldError, type FieldPath, invalidValue } from '../status/field-error.ts';

/** A range: its first bits are what counts. */
export interface Cidr {
  family: 4 | 6;
  /** The address as a number. */
  address: bigint;
  prefixBits: number;
}

const bitsOf = { 4: 32, 6: 128 } as const;

/** The range, or undefined for what is none. Old objects may have zeros before the parts of an IPv4 address. */
export function parseCidr(text: string): Cidr | undefined {
  const [, written = '', prefix = ''] = /^([^/%]+)\/(\d{1,3})$/.exec(text) ?? [];
  const address = written.replaceAll(/(^|\.)0+(?=\d)/g, (_, dot) => (written.includes(':') ? _ : dot));
  const family = isIP(address);
  if (family !== 4 && family !== 6) return undefined;
  const prefixBits = Number(prefix);
  if (prefixBits > bitsOf[family]) return undefined;
  return { family, address: family === 4 ? ipv4(address) : ipv6(address), prefixBits };
}

/** The one way of writing an address: `fd00:0::A` is `fd00::a`. Any other text stays as it is. */
export function canonicalAddress(address: string): string {
  return isIP(address) === 6 ? new SocketAddress({ address, family: 'ipv6' }).address : address;
}

/** The address that is this number, in the one way of writing it. */
export function addressOf(number: bigint, family: Cidr['family']): string {
  const part = (shift: number, bits: number) => (number >> BigInt(shift)) & ((1n << BigInt(bits)) - 1n);
  if (family === 4) return [24, 16, 8, 0].map((shift) => part(shift, 8)).join('.');
  const groups = [112, 96, 80, 64, 48, 32, 16, 0].map((shift) => part(shift, 16).toString(16));
  return canonicalAddress(groups.join(':'));
}

/** `must be a valid CIDR value`. */
export function validateCidr(field: FieldPath, text: string): FieldError[] {
  if (parseCidr(text)) return [];
  return [invalidValue(field, text, 'must be a valid CIDR value, (e.g. 10.9.8.0/24 or 2001:db8::/64)')];
}

/** The same, and its address has no bits beyond the prefix. */
export function validateNetwork(field: FieldPath, text: string): FieldError[] {
  const range = parseCidr(text);
  if (!range) return validateCidr(field, text);
  const rest = BigInt(bitsOf[range.family] - range.prefixBits);
  if ((range.address >> rest) << rest === range.address) return [];
  return [invalidValue(field, text, 'must not have bits set beyond the prefix length')];
}

/** An address and the prefix of its network, in the shortest form. IPv4 that is mapped into IPv6 is IPv4. */
export function validateInterfaceAddress(field: FieldPath, text: string): FieldError[] {
  const range = parseCidr(text);
  if (!range) {
    const detail = 'must be a valid address in CIDR form, (e.g. 10.9.8.7/24 or 2001:db8::1/64)';
    return [invalidValue(field, text, detail)];
  }
  const canonical = canonicalForm(range, text);
  return canonical === text ? [] : [invalidValue(field, text, `must be in canonical form ("${canonical}")`)];
}

const mapped = 0xffffn;

function canonicalForm({ family, address, prefixBits }: Cidr, text: string): string {
  if (family === 6 && address >> 32n !== mapped) {
    const written = canonicalAddress(text.slice(0, text.indexOf('/')));
    return `${written.replace(/[^:]+\.[^:]+$/, dotted)}/${prefixBits}`;
  }
  return `${addressOf(address, 4)}/${prefixBits > 32 ? prefixBits - 96 : prefixBits}`;
}

/** True when all of `inner` is in `outer`, and not all of `outer`. */
export function isStrictSubset(inner: Cidr, outer: Cidr): boolean {
  if (inner.family !== outer.family || inner.prefixBits <= outer.prefixBits) return false;
  const rest = BigInt(bitsOf[outer.family] - outer.prefixBits);
  return inner.address >> rest === outer.address >> rest;
}

const ipv4 = (text: string) => text.split('.').reduce((sum, part) => (sum << 8n) | BigInt(part), 0n);

function ipv6(text: string): bigint {
  const [head = '', tail = ''] = text.replace(/[^:]+\.[^:]+$/, dotted).split('::');
  const [first, last] = [head, tail].map((part) => (part === '' ? [] : part.split(':')));
  const gap = text.includes('::') ? 8 - first!.length - last!.length : 0;
  const groups = [...first!, ...Array<string>(Math.max(0, gap)).fill('0'), ...last!];
  return groups.reduce((sum, group) => (sum << 16n) | BigInt(`0x${group}`), 0n);
}

/** The last 32 bits may be written as an IPv4 address. */
function dotted(text: string): string {
  const value = ipv4(text);
  return `${(value >> 16n).toString(16)}:${(value & 0xffffn).toString(16)}`;
}

/** Addresses as texts and as numbers. */
import { isIP, SocketAddress } from 'node:net';

/** 4 or 6 for an address, 0 for what is none. */
export const familyOf = (text: string): number => isIP(text);

/** What was stored long ago may have zeros in front of its numbers: the address without them. Undefined for what is none. */
export function withoutZeros(text: string): string | undefined {
  const trimmed = text.replaceAll(/(^|[.:])0+(?=[\da-f])/gi, '$1');
  return isIP(trimmed) === 0 || trimmed.includes('%') ? undefined : trimmed;
}

/** Whether an address of IPv4 is written as one of IPv6: `::ffff:192.0.2.1`. */
export const isMapped = (address: string): boolean =>
  isIP(address) === 6 && numberOf(address) >> 32n === 0xffffn;

/** The one way of writing an address: `fd00:0::A` is `fd00::a`. Any other text stays as it is. */
export function canonicalAddress(address: string): string {
  if (isIP(address) !== 6) return address;
  const { address: written } = new SocketAddress({ address, family: 'ipv6' });
  return isMapped(written) ? written : written.replace(/[^:]+\.[^:]+$/, inGroups);
}

/** As {@link canonicalAddress}, and what is mapped into IPv6 as IPv4. */
export const plainAddress = (address: string): string =>
  isMapped(address) ? addressOf(numberOf(address) & 0xffffffffn, 4) : canonicalAddress(address);

/** The address that is this number, in the one way of writing it. */
export function addressOf(number: bigint, family: 4 | 6): string {
  const part = (shift: number, bits: number) => (number >> BigInt(shift)) & ((1n << BigInt(bits)) - 1n);
  if (family === 4) return [24, 16, 8, 0].map((shift) => part(shift, 8)).join('.');
  const groups = [112, 96, 80, 64, 48, 32, 16, 0].map((shift) => part(shift, 16).toString(16));
  return canonicalAddress(groups.join(':'));
}

/** The number that an address is. */
export const numberOf = (address: string): bigint => (address.includes(':') ? ipv6(address) : ipv4(address));

const ipv4 = (text: string) => text.split('.').reduce((sum, part) => (sum << 8n) | BigInt(part), 0n);

function ipv6(text: string): bigint {
  const [head = '', tail = ''] = text.replace(/[^:]+\.[^:]+$/, inGroups).split('::');
  const [first, last] = [head, tail].map((part) => (part === '' ? [] : part.split(':')));
  const gap = text.includes('::') ? 8 - first!.length - last!.length : 0;
  const groups = [...first!, ...Array<string>(Math.max(0, gap)).fill('0'), ...last!];
  return groups.reduce((sum, group) => (sum << 16n) | BigInt(`0x${group}`), 0n);
}

/** The last 32 bits may be written as an IPv4 address. */
function inGroups(text: string): string {
  const value = ipv4(text);
  return `${(value >> 16n).toString(16)}:${(value & 0xffffn).toString(16)}`;
}

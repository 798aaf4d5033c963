import { isIP } from 'node:net';
import { addressOf, parseCidr } from '@wherry/kubeapi';
import { SettingsError } from '../../settings-error.ts';
import { allocationOrder } from './allocation-order.ts';

/** A family as services name it. */
export type IpFamily = 'IPv4' | 'IPv6';

/** A network that cluster IPs are taken from. */
export interface AddressRange {
  family: IpFamily;
  /** The lowest address that a service may have, as a number: the network's own is left out. */
  lowest: bigint;
  /** The highest one: in IPv4 not the last of the network, which is its broadcast address. Below `lowest` in tiny ones. */
  highest: bigint;
  /** As it was written. */
  text: string;
}

const ipv4BitsMin = 8;
/** Upstream takes nothing from larger networks either. */
const ipv6BitsMin = 64;

/**
 * The ranges of `--service-cluster-ip-range`; services that name no family are of the first one's. Throws on anything but
 * a network of at least four addresses, or one of each family.
 */
export function parseRanges(text: string): AddressRange[] {
  const ranges = text.split(',').map((part) => readRange(part.trim()));
  const good = ranges.filter((range) => range !== undefined && range.highest - range.lowest > 0n);
  const families = new Set(good.map((range) => range?.family));
  if (good.length < ranges.length || families.size < good.length) {
    const want =
      'a network such as 10.96.0.0/16 or fd00:10:96::/112 (at most /8 and /64), or one of each family';
    throw new SettingsError(`service range "${text}": want ${want}`);
  }
  return good.filter((range) => range !== undefined);
}

/** The range of a CIDR; undefined for any other text, and for a network that is too large to take addresses from. */
export function readRange(text: string): AddressRange | undefined {
  const cidr = parseCidr(text);
  if (!cidr) return undefined;
  const isV4 = cidr.family === 4;
  if (cidr.prefixBits < (isV4 ? ipv4BitsMin : ipv6BitsMin)) return undefined;
  const size = 1n << BigInt((isV4 ? 32 : 128) - cidr.prefixBits);
  const network = cidr.address - (cidr.address % size);
  const highest = network + size - (isV4 ? 2n : 1n);
  return { family: isV4 ? 'IPv4' : 'IPv6', lowest: network + 1n, highest, text };
}

/** The family of an address. */
export const familyOfAddress = (address: string): IpFamily => (isIP(address) === 6 ? 'IPv6' : 'IPv4');

/** True for addresses of a range that services may have. */
export function isUsable({ family, lowest, highest }: AddressRange, address: string): boolean {
  const number = parseCidr(`${address}/${family === 'IPv4' ? 32 : 128}`);
  return number !== undefined && number.address >= lowest && number.address <= highest;
}

/** The address that the `kubernetes` service has in a range. */
export const firstAddress = ({ family, lowest }: AddressRange): string => formatAddress(lowest, family);

/**
 * All addresses but the first, in the order in which who names none gets one: from any on, those at the beginning of the range last, so
 * that whoever names one there finds it free (upstream: min(max(16, size/16), 256) of them).
 */
export function* addressesOfRange({ family, lowest, highest }: AddressRange): Generator<string> {
  const size = highest - lowest + (family === 'IPv4' ? 3n : 2n);
  const named = size <= 16n ? 0n : clamped(size / 16n, 16n, 256n);
  const first = lowest + 1n;
  const open = named === 0n ? first : lowest + named;
  for (const number of allocationOrder(first, open, highest)) yield formatAddress(number, family);
}

function clamped(number: bigint, least: bigint, most: bigint): bigint {
  return number < least ? least : number > most ? most : number;
}

const formatAddress = (number: bigint, family: IpFamily): string =>
  addressOf(number, family === 'IPv4' ? 4 : 6);

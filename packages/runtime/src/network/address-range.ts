import { isIP } from 'node:net';
import { type AddressFamily, decodeAddress, encodeAddress, familyOf } from '@wherry/linux';
import { RuntimeError } from '../errors.ts';

/** A range of pods' addresses. */
export interface AddressRange {
  family: AddressFamily;
  /** First address: the network's own, not to be given to anyone. */
  first: bigint;
  /** How many addresses there are, the first and the last among them; of IPv6 no more than are ever used. */
  size: number;
  prefixLength: number;
}

const prefixBounds = { ip: { bits: 32, min: 8, max: 29 }, ip6: { bits: 128, min: 8, max: 125 } } as const;
/** A pod's hardware address has room for 32 bits of it. */
const usedBitsMax = 32;

/** The address at a distance from a range's first. */
export function addressAt({ family, first }: AddressRange, offset: number): string {
  const bytes = prefixBounds[family].bits / 8;
  return decodeAddress(Buffer.from((first + BigInt(offset)).toString(16).padStart(bytes * 2, '0'), 'hex'));
}

/** How far an address is from a range's first; undefined outside of what is used. */
export function offsetOf({ family, first, size }: AddressRange, address: string): number | undefined {
  if (familyOf(address) !== family) return undefined;
  const offset = numberOf(address) - first;
  return offset >= 0n && offset < BigInt(size) ? Number(offset) : undefined;
}

const numberOf = (address: string) => BigInt(`0x${encodeAddress(address).toString('hex')}`);

/**
 * Parses `10.1.0.0/16`, `fd00:1::/64` or one of each: the first has the pods' own addresses, the second one further ones.
 * Throws `RuntimeError` INVALID_ARGUMENT for anything else.
 */
export function parseRanges(text: string): AddressRange[] {
  const ranges = text.split(',').map((part) => parseRange(part.trim()));
  if (new Set(ranges.map(({ family }) => family)).size < ranges.length)
    throw new RuntimeError('INVALID_ARGUMENT', `"${text}" holds more than one range of a family`);
  return ranges;
}

function parseRange(text: string): AddressRange {
  const [, address = '', length = ''] = /^([^/]+)\/(\d{1,3})$/.exec(text) ?? [];
  const prefixLength = Number(length);
  const family = isIP(address) === 0 ? undefined : familyOf(address);
  const bounds = family && prefixBounds[family];
  if (!bounds || prefixLength < bounds.min || prefixLength > bounds.max) {
    const { ip, ip6 } = prefixBounds;
    throw new RuntimeError(
      'INVALID_ARGUMENT',
      `"${text}" is no range of pods' addresses: want one such as 10.88.0.0/16 (prefix ${ip.min} to ${ip.max}) or fd00:88::/64 (${ip6.min} to ${ip6.max})`,
    );
  }
  const hostBits = bounds.bits - prefixLength;
  const first = (numberOf(address) >> BigInt(hostBits)) << BigInt(hostBits);
  return { family, first, size: 2 ** Math.min(hostBits, usedBitsMax), prefixLength };
}

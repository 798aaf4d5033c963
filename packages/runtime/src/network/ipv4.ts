import { isIPv4 } from 'node:net';
import { RuntimeError } from '../errors.ts';

/** An IPv4 address as a number. */
export const toNumber = (address: string): number =>
  address.split('.').reduce((sum, part) => sum * 256 + Number(part), 0);

/** A number as dotted text. */
export const toAddress = (value: number): string =>
  [24, 16, 8, 0].map((shift) => Math.floor(value / 2 ** shift) % 256).join('.');

/** A range of addresses. */
export interface Ipv4Range {
  /** First address: the network's own, not to be given to anyone. */
  first: number;
  /** Last address: the broadcast address. */
  last: number;
  prefixLength: number;
}

/** Parses `10.1.0.0/16`; of a comma list the first IPv4 range. Throws `RuntimeError` INVALID_ARGUMENT. */
export function parseRange(text: string): Ipv4Range {
  for (const part of text.split(',')) {
    const [address = '', length = ''] = part.trim().split('/');
    const prefixLength = Number(length);
    if (!isIPv4(address) || !Number.isInteger(prefixLength) || prefixLength < 8 || prefixLength > 29)
      continue;
    const size = 2 ** (32 - prefixLength);
    const first = Math.floor(toNumber(address) / size) * size;
    return { first, last: first + size - 1, prefixLength };
  }
  throw new RuntimeError('INVALID_ARGUMENT', `"${text}" holds no IPv4 range with a prefix between 8 and 29`);
}

import { isIPv6 } from 'node:net';

/** A family of addresses, as nft(8) calls it. */
export type AddressFamily = 'ip' | 'ip6';

/** The family of an address, or of a range of them. */
export const familyOf = (address: string): AddressFamily =>
  isIPv6(address.split('/', 1)[0] ?? '') ? 'ip6' : 'ip';

/** What people call a family. */
export const familyName = { ip: 'IPv4', ip6: 'IPv6' } as const;

/** How many bits an address has: the length of a prefix that holds it alone. */
export const addressBits = { ip: 32, ip6: 128 } as const;

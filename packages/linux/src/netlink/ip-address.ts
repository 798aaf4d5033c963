import { BlockList, isIPv4, isIPv6 } from 'node:net';

/** A family of addresses, as nft(8) calls it. */
export type AddressFamily = 'ip' | 'ip6';

/** The family of an address, or of a range of them. */
export const familyOf = (address: string): AddressFamily =>
  isIPv6(address.split('/', 1)[0] ?? '') ? 'ip6' : 'ip';

/** How many bits an address has: the length of a prefix that holds it alone. */
export const addressBits = { ip: 32, ip6: 128 } as const;

/** The kernel's number of an address's family: AF_INET6 or AF_INET. */
export const addressFamily = (address: string): number => (isIPv6(address) ? 10 : 2);

/** The 4 or 16 bytes of an address. Throws on text that is none. */
export function encodeAddress(address: string): Buffer {
  if (isIPv4(address)) return Buffer.from(address.split('.').map(Number));
  if (!isIPv6(address)) throw new TypeError(`"${address}" is no IP address`);
  const [head = '', tail] = embeddedAsHex(address).split('::');
  const groups = (text: string) => (text === '' ? [] : text.split(':'));
  const [before, after] = [groups(head), groups(tail ?? '')];
  const zeros = tail === undefined ? [] : Array<string>(8 - before.length - after.length).fill('0');
  const buffer = Buffer.alloc(16);
  for (const [index, group] of [...before, ...zeros, ...after].entries()) {
    buffer.writeUInt16BE(Number.parseInt(group, 16), index * 2);
  }
  return buffer;
}

/** Writes the dotted end of "::ffff:10.0.0.1" as two groups. */
function embeddedAsHex(address: string): string {
  return address.replace(/(\d+)\.(\d+)\.(\d+)\.(\d+)$/, (_, ...parts: string[]) => {
    const [a = 0, b = 0, c = 0, d = 0] = parts.slice(0, 4).map(Number);
    return `${((a << 8) | b).toString(16)}:${((c << 8) | d).toString(16)}`;
  });
}

/** The text of 4 or 16 bytes; IPv6 with its longest run of zeros left out (RFC 5952). */
export function decodeAddress(bytes: Uint8Array): string {
  if (bytes.byteLength === 4) return bytes.join('.');
  const view = Buffer.from(bytes);
  const groups = Array.from({ length: bytes.byteLength / 2 }, (_, index) =>
    view.readUInt16BE(index * 2).toString(16),
  );
  const text = groups.join(':');
  const runs = [...text.matchAll(/(?:^|:)0(?::0)+(?=:|$)/g)].map(([run]) => run);
  const longest = runs.sort((a, b) => b.length - a.length)[0];
  return longest === undefined
    ? text
    : text.replace(longest, text.endsWith(longest) ? '::' : ':').replace(/^:(?!:)/, '::');
}

/** Splits "10.1.2.3/24"; without a slash the whole address is the prefix. Throws on a length out of range. */
export function splitPrefix(text: string): { address: string; prefixLength: number } {
  const [address = '', length] = text.split('/');
  const bits = encodeAddress(address).byteLength * 8;
  const prefixLength = length === undefined ? bits : Number(length);
  if (!Number.isInteger(prefixLength) || prefixLength < 0 || prefixLength > bits) {
    throw new RangeError(`"${text}" has no prefix length between 0 and ${bits}`);
  }
  return { address, prefixLength };
}

/** Ranges to look addresses up in, such as `10.96.0.0/16`. Throws on text that is none. */
export function blockListOf(ranges: readonly string[]): BlockList {
  const list = new BlockList();
  for (const range of ranges) {
    const { address, prefixLength } = splitPrefix(range);
    list.addSubnet(address, prefixLength, isIPv6(address) ? 'ipv6' : 'ipv4');
  }
  return list;
}

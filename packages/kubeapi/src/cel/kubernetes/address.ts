/** IP addresses as numbers (Go's net/netip, without zones). */

/** An address of either family. */
export interface Address {
  family: 4 | 6;
  bits: bigint;
}

export const widthOf = ({ family }: Address): number => (family === 4 ? 32 : 128);

/** Undefined: the text is no address. */
export function parseAddress(text: string): Address | undefined {
  return text.includes(':') ? parseV6(text) : parseV4(text);
}

function parseV4(text: string): Address | undefined {
  const parts = text.split('.');
  if (parts.length !== 4) return undefined;
  let bits = 0n;
  for (const part of parts) {
    if (!/^(?:0|[1-9]\d{0,2})$/.test(part) || Number(part) > 255) return undefined;
    bits = bits * 256n + BigInt(part);
  }
  return { family: 4, bits };
}

function parseV6(text: string): Address | undefined {
  const [head = '', tail, ...more] = text.split('::');
  if (more.length > 0) return undefined;
  const before = groupsOf(head, tail === undefined);
  const after = tail === undefined ? [] : groupsOf(tail, true);
  if (!before || !after) return undefined;
  const missing = 8 - before.length - after.length;
  if (tail === undefined ? missing !== 0 : missing < 1) return undefined;
  const groups = [...before, ...Array<number>(missing).fill(0), ...after];
  return { family: 6, bits: groups.reduce((bits, group) => bits * 65536n + BigInt(group), 0n) };
}

/** The last two groups may be an address of IPv4. */
function groupsOf(text: string, isEnd: boolean): number[] | undefined {
  if (text === '') return [];
  const groups: number[] = [];
  const parts = text.split(':');
  for (const [index, part] of parts.entries()) {
    const embedded = isEnd && index === parts.length - 1 && part.includes('.') ? parseV4(part) : undefined;
    if (embedded) groups.push(Number(embedded.bits >> 16n), Number(embedded.bits & 0xffffn));
    else if (/^[0-9a-fA-F]{1,4}$/.test(part)) groups.push(Number.parseInt(part, 16));
    else return undefined;
  }
  return groups;
}

/** In its canonical form (RFC 5952). */
export function showAddress({ family, bits }: Address): string {
  if (family === 4) return [24n, 16n, 8n, 0n].map((shift) => (bits >> shift) & 0xffn).join('.');
  const groups = Array.from({ length: 8 }, (_group, index) =>
    Number((bits >> BigInt(112 - index * 16)) & 0xffffn),
  );
  const shown = (part: readonly number[]) => part.map((group) => group.toString(16)).join(':');
  let [start, length] = [0, 1];
  for (let from = 0; from < 8; from += 1) {
    let to = from;
    while (groups[to] === 0) to += 1;
    if (to - from > length) [start, length] = [from, to - from];
  }
  if (length < 2) return shown(groups);
  return `${shown(groups.slice(0, start))}::${shown(groups.slice(start + length))}`;
}

/** An address of IPv4 within IPv6. */
export const isMapped = ({ family, bits }: Address): boolean => family === 6 && bits >> 32n === 0xffffn;

/** The network that an address is in. */
export function maskOf(address: Address, length: number): bigint {
  const hostBits = BigInt(widthOf(address) - length);
  return (address.bits >> hostBits) << hostBits;
}

const startsWith = ({ family, bits }: Address, prefix: string, length: number): boolean => {
  const wanted = parseAddress(prefix)!;
  return family === wanted.family && maskOf({ family, bits }, length) === wanted.bits;
};

export const isUnspecified = ({ bits }: Address): boolean => bits === 0n;
export const isLoopback = (address: Address): boolean =>
  startsWith(address, '127.0.0.0', 8) || startsWith(address, '::1', 128);
export const isLinkLocalUnicast = (address: Address): boolean =>
  startsWith(address, '169.254.0.0', 16) || startsWith(address, 'fe80::', 10);
export const isLinkLocalMulticast = (address: Address): boolean =>
  startsWith(address, '224.0.0.0', 24) ||
  (address.family === 6 && ((address.bits >> 112n) & 0xff0fn) === 0xff02n);
const isMulticast = (address: Address): boolean =>
  startsWith(address, '224.0.0.0', 4) || startsWith(address, 'ff00::', 8);
export const isGlobalUnicast = (address: Address): boolean =>
  !isUnspecified(address) &&
  !startsWith(address, '255.255.255.255', 32) &&
  !isLoopback(address) &&
  !isMulticast(address) &&
  !isLinkLocalUnicast(address);

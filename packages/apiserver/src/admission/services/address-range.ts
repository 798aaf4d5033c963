/** A network that cluster IPs are taken from. */
export interface Ipv4Range {
  first: number;
  size: number;
  /** As it was written. */
  text: string;
}

/** Throws on anything but an IPv4 CIDR of at least four addresses. */
export function parseRange(text: string): Ipv4Range {
  const range = readRange(text);
  if (!range || range.size < 4 || range.size > 2 ** 24) {
    throw new Error(`service range "${text}": want an IPv4 network such as 10.96.0.0/16`);
  }
  return range;
}

/** The range of a CIDR of IPv4; undefined for any other text. */
export function readRange(text: string): Ipv4Range | undefined {
  const [, address = '', bits = ''] = /^([^/]*)\/([0-9]{1,2})$/.exec(text) ?? [];
  const value = addressNumber(address);
  if (value === undefined || Number(bits) > 32) return undefined;
  const size = 2 ** (32 - Number(bits));
  return { first: value - (value % size), size, text };
}

/** The number of an IPv4 address; undefined for any other text. */
export function addressNumber(text: string): number | undefined {
  const parts = text.split('.');
  const isAddress = parts.length === 4 && parts.every((part) => /^(0|[1-9][0-9]{0,2})$/.test(part));
  const numbers = parts.map(Number);
  if (!isAddress || numbers.some((part) => part > 255)) return undefined;
  return numbers.reduce((sum, part) => sum * 256 + part, 0);
}

/** The text of a number that is an IPv4 address. */
export function formatAddress(value: number): string {
  return [24, 16, 8, 0].map((shift) => Math.floor(value / 2 ** shift) % 256).join('.');
}

/** True for addresses of a range but its first and last, which are the network's and its broadcast. */
export function isUsable({ first, size }: Ipv4Range, text: string): boolean {
  const value = addressNumber(text);
  return value !== undefined && value > first && value < first + size - 1;
}

/** The address that the `kubernetes` service has in a range. */
export function firstServiceAddress(range: string): string {
  return formatAddress(parseRange(range).first + 1);
}

import { BlockList, isIP } from 'node:net';

/** Where a request goes. */
export interface Destination {
  /** Lower case, an IPv6 address without brackets. */
  host: string;
  port: number;
}

type Matcher = (destination: Destination) => boolean;

/**
 * Says for which destinations a `NO_PROXY` list wants no proxy, as Go reads it (golang.org/x/net/http/httpproxy):
 * `*`; addresses and CIDR ranges; `example.com` for itself and its sub-domains, `.example.com` and `*.example.com` for
 * sub-domains alone; addresses and names may name a port. Names are not resolved.
 */
export function noProxyMatcher(list: string): Matcher {
  const entries = list.split(',').map((entry) => entry.trim().toLowerCase());
  if (entries.includes('*')) return () => true;
  const matchers = entries.flatMap((entry) => matcherOf(entry) ?? []);
  return (destination) => matchers.some((matches) => matches(destination));
}

function matcherOf(entry: string): Matcher | undefined {
  if (entry === '') return undefined;
  const [address = '', prefix] = entry.split('/');
  if (prefix !== undefined && isIP(address) !== 0) return rangeMatcher(address, Number(prefix));
  const { host, port } = splitPort(entry);
  if (host === '') return undefined;
  const isPort = (destination: Destination) => port === undefined || port === String(destination.port);
  if (isIP(host) !== 0) {
    const exactly = rangeMatcher(host, isIP(host) === 4 ? 32 : 128);
    return exactly && ((destination) => exactly(destination) && isPort(destination));
  }
  const name = host.replace(/^\*\./, '.');
  const suffix = name.startsWith('.') ? name : `.${name}`;
  return (destination) =>
    isIP(destination.host) === 0 &&
    (destination.host.endsWith(suffix) || destination.host === name) &&
    isPort(destination);
}

function rangeMatcher(address: string, prefix: number): Matcher | undefined {
  const bits = isIP(address) === 4 ? 32 : 128;
  if (!Number.isInteger(prefix) || prefix < 0 || prefix > bits) return undefined;
  const range = new BlockList();
  range.addSubnet(address, prefix, familyOf(address));
  return ({ host }) => isIP(host) !== 0 && range.check(host, familyOf(host));
}

function familyOf(address: string): 'ipv4' | 'ipv6' {
  return isIP(address) === 4 ? 'ipv4' : 'ipv6';
}

/** `host`, `host:port`, `[address]` or `[address]:port`; an IPv6 address without brackets has no port. */
function splitPort(entry: string): { host: string; port: string | undefined } {
  const bracketed = /^\[(.+)\](?::(\d+))?$/.exec(entry);
  if (bracketed) return { host: bracketed[1] ?? '', port: bracketed[2] };
  const colons = entry.split(':').length - 1;
  if (colons !== 1) return { host: entry, port: undefined };
  const [host = '', port] = entry.split(':');
  return { host, port };
}

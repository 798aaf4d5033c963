import { BlockList, isIP } from 'node:net';

const addresses = new BlockList();
// Those of IPv4 that are written as addresses of IPv6 (::ffff:127.0.0.1) are among them.
addresses.addSubnet('127.0.0.0', 8, 'ipv4');
addresses.addAddress('::1', 'ipv6');

/**
 * Whether a host is this machine by its name alone, which nobody looks up: `localhost`, or a loopback address. It comes without a
 * port, and one of IPv6 with or without brackets.
 */
export function isLoopbackHost(host: string): boolean {
  const name = host.replace(/^\[(.*)\]$/, '$1');
  const family = isIP(name);
  return family === 0 ? name === 'localhost' : addresses.check(name, family === 4 ? 'ipv4' : 'ipv6');
}

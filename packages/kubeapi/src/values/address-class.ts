/** What kind of place an IP address is, in either family and in every spelling. */
import { BlockList, isIP } from 'node:net';

/** `global` is everything that none of the others is. */
export type AddressClass = 'unspecified' | 'loopback' | 'link-local' | 'multicast' | 'broadcast' | 'global';

/** IPv4 networks also catch their IPv4-mapped spelling in IPv6 (`::ffff:127.0.0.1`). */
const networks: Readonly<Record<Exclude<AddressClass, 'global'>, readonly (readonly [string, number])[]>> = {
  unspecified: [
    ['0.0.0.0', 8],
    ['::', 128],
  ],
  loopback: [
    ['127.0.0.0', 8],
    ['::1', 128],
  ],
  'link-local': [
    ['169.254.0.0', 16],
    ['fe80::', 10],
  ],
  multicast: [
    ['224.0.0.0', 4],
    ['ff00::', 8],
  ],
  broadcast: [['255.255.255.255', 32]],
};

const lists = Object.entries(networks).map(([name, members]) => {
  const list = new BlockList();
  for (const [network, prefix] of members) list.addSubnet(network, prefix, familyOf(network));
  return [name as AddressClass, list] as const;
});

/** Undefined for a text that is no IP address. A zone (`fe80::1%eth0`) does not change the answer. */
export function addressClass(text: string): AddressClass | undefined {
  const [address = ''] = text.split('%', 1);
  if (isIP(address) === 0) return undefined;
  return lists.find(([, list]) => list.check(address, familyOf(address)))?.[0] ?? 'global';
}

function familyOf(address: string): 'ipv4' | 'ipv6' {
  return isIP(address) === 6 ? 'ipv6' : 'ipv4';
}

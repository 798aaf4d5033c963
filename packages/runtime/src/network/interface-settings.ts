import { readFileSync, writeFileSync } from 'node:fs';
import { hasCode } from '@wherry/linux';

/** Sets a sysctl of this thread's network namespace, where it differs. */
function setSysctl(name: string, value: string): void {
  const path = `/proc/sys/${name}`;
  if (readFileSync(path, 'utf8').trim() !== value) writeFileSync(path, value);
}

/** No addresses, routers or neighbours by IPv6, which pods have none of. A kernel without IPv6 has nothing to set. */
function withoutIpv6(name: string): void {
  try {
    for (const setting of ['accept_ra', 'autoconf', 'accept_redirects'])
      setSysctl(`net/ipv6/conf/${name}/${setting}`, '0');
    setSysctl(`net/ipv6/conf/${name}/disable_ipv6`, '1');
  } catch (error) {
    if (!hasCode(error, 'ENOENT')) throw error;
  }
}

/**
 * How the machine listens to its pods: it forwards for them, takes sources only from where it would answer them to, and
 * lets nobody tell it routes (CVE-2020-10749 came by router advertisements).
 */
export function settleBridge(bridgeName: string): void {
  const own = `net/ipv4/conf/${bridgeName}`;
  setSysctl('net/ipv4/ip_forward', '1');
  // Lets 127.0.0.1:hostPort reach pods: the kernel otherwise drops loopback sources on the bridge. What comes the other
  // way, from pods to the machine's loopback (CVE-2020-8558), is dropped by the table's first chain.
  setSysctl(`${own}/route_localnet`, '1');
  setSysctl(`${own}/rp_filter`, '1');
  // It asks for pods as the bridge, also when a packet comes from another address of the machine: pods may answer to that.
  setSysctl(`${own}/arp_announce`, '2');
  for (const setting of ['accept_redirects', 'accept_source_route']) setSysctl(`${own}/${setting}`, '0');
  withoutIpv6(bridgeName);
}

/** The machine's end of a cable is a port of the bridge and nothing else. */
export const settleCable = withoutIpv6;

/** To be called inside a pod's network namespace. */
export function settlePod(interfaceName: string): void {
  for (const name of ['all', interfaceName]) setSysctl(`net/ipv4/conf/${name}/accept_redirects`, '0');
  withoutIpv6(interfaceName);
}

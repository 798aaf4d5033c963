import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { type AddressFamily, hasCode } from '@wherry/linux';
import { RuntimeError } from '../errors.ts';

/** IN6_ADDR_GEN_MODE_NONE. */
const withoutLinkLocal = '1';

/** Sets a sysctl of this thread's network namespace, where it differs. */
function setSysctl(name: string, value: string): void {
  const path = `/proc/sys/${name}`;
  if (readFileSync(path, 'utf8').trim() !== value) writeFileSync(path, value);
}

/** Where settings of IPv6 are. A kernel without IPv6 has none. */
const ipv6Settings = 'net/ipv6/conf';
const missingIpv6 = 'the kernel has no IPv6 (ipv6.disable), which the range of pods needs';

function setAllIpv6(name: string, settings: Readonly<Record<string, string>>): void {
  for (const [setting, value] of Object.entries(settings))
    setSysctl(`${ipv6Settings}/${name}/${setting}`, value);
}

/** Nobody but the runtime says who is where: no routers, no addresses that an interface gives itself, no questions. */
const toldByNobody = { accept_ra: '0', autoconf: '0', accept_redirects: '0' } as const;

/** No addresses, routers or neighbours by IPv6, where there are none. */
function withoutIpv6(name: string): void {
  try {
    setAllIpv6(name, { ...toldByNobody, disable_ipv6: '1' });
  } catch (error) {
    if (!hasCode(error, 'ENOENT')) throw error;
  }
}

/** The addresses that the runtime gives, and none beside them. Throws `RuntimeError` UNAVAILABLE without IPv6. */
function withIpv6(name: string): void {
  try {
    setAllIpv6(name, {
      ...toldByNobody,
      accept_dad: '0',
      addr_gen_mode: withoutLinkLocal,
      disable_ipv6: '0',
    });
  } catch (error) {
    if (!hasCode(error, 'ENOENT')) throw error;
    throw new RuntimeError('UNAVAILABLE', missingIpv6, { cause: error });
  }
}

/**
 * A machine that forwards IPv6 takes no routes from routers any more, unless it is told to go on (accept_ra 2): one that
 * has its own way out from a router would lose it.
 */
function forwardIpv6(): void {
  const forwarding = `${ipv6Settings}/all/forwarding`;
  if (readFileSync(`/proc/sys/${forwarding}`, 'utf8').trim() === '1') return;
  for (const name of readdirSync(`/proc/sys/${ipv6Settings}`)) {
    const listening = `${ipv6Settings}/${name}/accept_ra`;
    if (readFileSync(`/proc/sys/${listening}`, 'utf8').trim() === '1') setSysctl(listening, '2');
  }
  setSysctl(forwarding, '1');
}

/**
 * How the machine listens to its pods: it forwards for them, takes sources only from where it would answer them to, and
 * lets nobody tell it routes (CVE-2020-10749 came by router advertisements).
 */
export function settleBridge(bridgeName: string, families: readonly AddressFamily[]): void {
  if (families.includes('ip')) settleBridgeIpv4(bridgeName);
  if (families.includes('ip6')) {
    withIpv6(bridgeName);
    forwardIpv6();
  } else withoutIpv6(bridgeName);
}

function settleBridgeIpv4(bridgeName: string): void {
  const own = `net/ipv4/conf/${bridgeName}`;
  setSysctl('net/ipv4/ip_forward', '1');
  // Lets 127.0.0.1:hostPort reach pods: the kernel otherwise drops loopback sources on the bridge. What comes the other
  // way, from pods to the machine's loopback (CVE-2020-8558), is dropped by the table's first chain.
  setSysctl(`${own}/route_localnet`, '1');
  setSysctl(`${own}/rp_filter`, '1');
  // It asks for pods as the bridge, also when a packet comes from another address of the machine: pods may answer to that.
  setSysctl(`${own}/arp_announce`, '2');
  for (const setting of ['accept_redirects', 'accept_source_route']) setSysctl(`${own}/${setting}`, '0');
}

/** The machine's end of a cable is a port of the bridge and nothing else. */
export const settleCable = withoutIpv6;

/** To be called inside a pod's network namespace. */
export function settlePod(interfaceName: string, families: readonly AddressFamily[]): void {
  for (const name of ['all', interfaceName]) setSysctl(`net/ipv4/conf/${name}/accept_redirects`, '0');
  if (families.includes('ip6')) withIpv6(interfaceName);
  else withoutIpv6(interfaceName);
}

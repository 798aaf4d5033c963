import { networkInterfaces } from 'node:os';
import { type AddressFamily, familyOf, runNft } from '@wherry/linux';
import type { Logger } from '@wherry/telemetry';
import { messageOf, RuntimeError } from '../errors.ts';

/** Names inside the node's tables. */
export const hostPortMap = 'host-ports';
export const hostAddressPortMap = 'host-address-ports';
/** Pods with host ports, each address beside itself: a pod that reaches itself by its own port. */
export const hairpinSet = 'hairpins';
export const cableSet = 'cables';
export const identitySets = { ip: 'identities', ip6: 'identities6' } as const;

/** How the rules of a family are written. */
const words = {
  ip: {
    address: 'ipv4_addr',
    loopback: '127.0.0.0/8',
    // Of what is translated the kernel takes the loopback's addresses for others' only by IPv4 (route_localnet).
    isLed: '',
    redirect: 'icmp type redirect',
    prohibited: 'icmp type admin-prohibited',
  },
  ip6: {
    address: 'ipv6_addr',
    loopback: '::1',
    isLed: 'ip6 daddr != ::1',
    redirect: 'icmpv6 type nd-redirect',
    prohibited: 'icmpv6 type admin-prohibited',
  },
} as const;

/**
 * The node's own nftables table of a family: pods' traffic to the outside carries the node's address; packets for a host port
 * go to its pod; nothing from a pod reaches the machine's loopback, and ranges that nothing answers for are refused at
 * once, before something outside does. The maps change element by element as pods come and go. One transaction
 * replaces a table that an earlier run left, with what running pods have, so that nothing is without rules in between. Pods are on one network and
 * not reached directly: the machine, which routes between them, must not tell them of a shorter way.
 */
function ruleset(options: TableOptions, toThisMachine: string): string {
  const { table, family, bridgeName, podCidr, peerBridges, blockedCidrs, hostPorts } = options;
  const { address, loopback, isLed, redirect, prohibited } = words[family];
  const toHostPorts = `${isLed} ${toThisMachine} meta l4proto { tcp, udp, sctp } jump to-pods`;
  const blocked = `iifname "${bridgeName}" ${family} daddr { ${blockedCidrs.join(', ')} }`;
  // By IPv6 pods have routes of their own: what is for another address of their range would leave the machine.
  const elsewhere = `ip6 daddr ${podCidr} oifname != { "${bridgeName}", "lo" }`;
  const nobody = family === 'ip6' ? `${elsewhere} reject with icmpv6 type no-route` : '';
  const outward = [bridgeName, ...(peerBridges === undefined ? [] : [peerBridges])]
    .map((name) => `oifname != "${name}"`)
    .join(' ');
  return `
add table ${family} ${table}
delete table ${family} ${table}
table ${family} ${table} {
  map ${hostPortMap} {
    type inet_proto . inet_service : ${address} . inet_service
    ${elements(hostPorts.textsOf(hostPortMap))}
  }
  map ${hostAddressPortMap} {
    type ${address} . inet_proto . inet_service : ${address} . inet_service
    ${elements(hostPorts.textsOf(hostAddressPortMap))}
  }
  set ${hairpinSet} {
    type ${address} . ${address}
    ${elements(hostPorts.textsOf(hairpinSet))}
  }
  chain from-pods {
    type filter hook prerouting priority raw; policy accept;
    iifname "${bridgeName}" ${family} daddr ${loopback} drop
    iifname "${bridgeName}" ${family} saddr ${loopback} drop
  }
  chain through {
    type filter hook forward priority filter; policy accept;
    ${blockedCidrs.length === 0 ? '' : `${blocked} meta l4proto tcp reject with tcp reset`}
    ${blockedCidrs.length === 0 ? '' : `${blocked} reject with ${prohibited}`}
    ${nobody}
  }
  chain no-shortcuts {
    type filter hook output priority filter; policy accept;
    oifname "${bridgeName}" ${redirect} drop
    ${nobody}
  }
  chain to-pods {
    dnat ${family} to ${family} daddr . meta l4proto . th dport map @${hostAddressPortMap}
    dnat ${family} to meta l4proto . th dport map @${hostPortMap}
  }
  chain prerouting {
    type nat hook prerouting priority dstnat; policy accept;
    ${toHostPorts}
  }
  chain output {
    type nat hook output priority -100; policy accept;
    ${toHostPorts}
  }
  chain postrouting {
    type nat hook postrouting priority srcnat; policy accept;
    ${family} saddr ${podCidr} ${family} daddr != ${podCidr} ${outward} masquerade
    ct status dnat oifname "${bridgeName}" ${family} saddr ${loopback} masquerade
    ct status dnat ${family} saddr . ${family} daddr @${hairpinSet} masquerade
  }
}
`;
}

/** What a node's table of a family is made of. */
export interface TableOptions {
  table: string;
  family: AddressFamily;
  bridgeName: string;
  podCidr: string;
  peerBridges: string | undefined;
  /** Ranges of the family, outside the pod network, that pods are refused at once: TCP by a reset, the rest by ICMP. */
  blockedCidrs: readonly string[];
  /** What running pods have in a map or set, as nft(8) writes elements. */
  hostPorts: { textsOf(set: string): readonly string[] };
  logger: Logger;
}

const elements = (texts: readonly string[]) =>
  texts.length === 0 ? '' : `elements = { ${texts.join(', ')} }`;

/** What the guard of the bridge knows. */
export interface GuardOptions {
  /** What running pods have, as nft(8) writes elements. */
  cables: readonly string[];
  identities: Readonly<Record<AddressFamily, readonly string[]>>;
  /** The bridge's own addresses, which is all that pods talk to directly; undefined for a family that pods have none of. */
  gateways: Readonly<Record<AddressFamily, string | undefined>>;
  hardwareAddress: string;
}

/** By IPv4 a pod may ask for the gateway, and answer it. */
const ipv4Rules = (gateway: string, hardwareAddress: string) => `
    ether type ip ether daddr ${hardwareAddress} iifname . ether saddr . ip saddr @${identitySets.ip} accept
    ether type arp arp daddr ip ${gateway} arp htype 1 arp ptype ip iifname . ether saddr . arp saddr ip @${identitySets.ip} iifname . arp saddr ether . arp saddr ip @${identitySets.ip} accept`;

/**
 * By IPv6 nobody asks for anybody: the runtime has told gateway and pod of each other for good. What neighbours, routers
 * and listeners say to each other is therefore no pod's to say. In fragments the kernel takes none of it (RFC 6980).
 */
const ipv6Rules = (hardwareAddress: string) => `
    ether type ip6 ether daddr ${hardwareAddress} iifname . ether saddr . ip6 saddr @${identitySets.ip6} goto from-pods-ip6`;

/** What each cable may say it is, and that it talks to the machine alone, which routes on; see `PortGuard`, which adds and removes elements as pods come and go. */
function guardRuleset(table: string, { cables, identities, gateways, hardwareAddress }: GuardOptions) {
  return `
add table bridge ${table}
delete table bridge ${table}
table bridge ${table} {
  set ${cableSet} {
    type ifname
    ${elements(cables)}
  }
  set ${identitySets.ip} {
    type ifname . ether_addr . ipv4_addr
    ${elements(identities.ip)}
  }
  set ${identitySets.ip6} {
    type ifname . ether_addr . ipv6_addr
    ${elements(identities.ip6)}
  }
  chain from-pods-ip6 {
    meta l4proto != icmpv6 accept
    exthdr frag exists accept
    icmpv6 type { destination-unreachable, packet-too-big, time-exceeded, parameter-problem, echo-request, echo-reply } accept
    drop
  }
  chain from-pods {
    type filter hook prerouting priority -300; policy accept;
    iifname != @${cableSet} accept
    ${gateways.ip === undefined ? '' : ipv4Rules(gateways.ip, hardwareAddress)}
    ${gateways.ip6 === undefined ? '' : ipv6Rules(hardwareAddress)}
    drop
  }
}
`;
}

/** Installs the bridge's table with what running pods have, in one step. Throws `RuntimeError` UNAVAILABLE. */
export async function setUpGuardTable(table: string, options: GuardOptions): Promise<void> {
  await runNft(guardRuleset(table, options)).catch((error) => {
    throw new RuntimeError('UNAVAILABLE', `pods could pass for each other: ${messageOf(error)}`, {
      cause: error,
    });
  });
}

/** This machine's addresses as nft writes a set, for kernels without the fib expression. */
function ownAddresses(family: AddressFamily): string {
  const all = Object.values(networkInterfaces()).flatMap((addresses) => addresses ?? []);
  const own = all.filter(({ address, internal }) => familyOf(address) === family && !internal);
  return [words[family].loopback, ...new Set(own.map(({ address }) => address))].join(', ');
}

/** Installs the table by a run of nft(8), at the runtime's start only. Throws `RuntimeError` UNAVAILABLE. */
export async function setUpTable(options: TableOptions): Promise<void> {
  try {
    await runNft(ruleset(options, 'fib daddr type local'));
  } catch (error) {
    await runNft(ruleset(options, `${options.family} daddr { ${ownAddresses(options.family)} }`)).catch(
      (reason) => {
        throw new RuntimeError('UNAVAILABLE', `the pod network's table: ${messageOf(reason)}`, {
          cause: reason,
        });
      },
    );
    options.logger.warn('the kernel lacks nft_fib: host ports answer on the addresses of now only', {
      error: messageOf(error),
    });
  }
}

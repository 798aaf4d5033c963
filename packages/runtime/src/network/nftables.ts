import { networkInterfaces } from 'node:os';
import { runNft } from '@wherry/linux';
import type { Logger } from '@wherry/telemetry';
import { messageOf, RuntimeError } from '../errors.ts';

/** Names inside the node's tables. */
export const hostPortMap = 'host-ports';
export const hostAddressPortMap = 'host-address-ports';
/** Pods with host ports, each address beside itself: a pod that reaches itself by its own port. */
export const hairpinSet = 'hairpins';
export const cableSet = 'cables';
export const identitySet = 'identities';

/**
 * The node's own nftables table: pods' traffic to the outside carries the node's address; packets for a host port
 * go to its pod; nothing from a pod reaches the machine's loopback, and ranges that nothing answers for are refused at
 * once, before something outside does. The maps are filled element by element as pods come and go. One transaction
 * replaces a table that an earlier run left, so that nothing is without rules in between. Pods are on one network and
 * not reached directly: the machine, which routes between them, must not tell them of a shorter way.
 */
function ruleset(options: TableOptions, toThisMachine: string): string {
  const { table, bridgeName, podCidr, blockedCidrs } = options;
  const blocked = `iifname "${bridgeName}" ip daddr { ${blockedCidrs.join(', ')} }`;
  return `
add table ip ${table}
delete table ip ${table}
table ip ${table} {
  map ${hostPortMap} { type inet_proto . inet_service : ipv4_addr . inet_service; }
  map ${hostAddressPortMap} { type ipv4_addr . inet_proto . inet_service : ipv4_addr . inet_service; }
  set ${hairpinSet} { type ipv4_addr . ipv4_addr; }
  chain from-pods {
    type filter hook prerouting priority raw; policy accept;
    iifname "${bridgeName}" ip daddr 127.0.0.0/8 drop
    iifname "${bridgeName}" ip saddr 127.0.0.0/8 drop
  }
  chain through {
    type filter hook forward priority filter; policy accept;
    ${blockedCidrs.length === 0 ? '' : `${blocked} meta l4proto tcp reject with tcp reset`}
    ${blockedCidrs.length === 0 ? '' : `${blocked} reject with icmp type admin-prohibited`}
  }
  chain no-shortcuts {
    type filter hook output priority filter; policy accept;
    oifname "${bridgeName}" icmp type redirect drop
  }
  chain to-pods {
    dnat ip to ip daddr . meta l4proto . th dport map @${hostAddressPortMap}
    dnat ip to meta l4proto . th dport map @${hostPortMap}
  }
  chain prerouting {
    type nat hook prerouting priority dstnat; policy accept;
    ${toThisMachine} meta l4proto { tcp, udp, sctp } jump to-pods
  }
  chain output {
    type nat hook output priority -100; policy accept;
    ${toThisMachine} meta l4proto { tcp, udp, sctp } jump to-pods
  }
  chain postrouting {
    type nat hook postrouting priority srcnat; policy accept;
    ip saddr ${podCidr} ip daddr != ${podCidr} oifname != "${bridgeName}" masquerade
    ct status dnat oifname "${bridgeName}" ip saddr 127.0.0.0/8 masquerade
    ct status dnat ip saddr . ip daddr @${hairpinSet} masquerade
  }
}
`;
}

/** What a node's table is made of. */
export interface TableOptions {
  table: string;
  bridgeName: string;
  podCidr: string;
  /** Ranges outside the pod network that pods are refused at once: TCP by a reset, the rest by ICMP. */
  blockedCidrs: readonly string[];
  logger: Logger;
}

const elements = (texts: readonly string[]) =>
  texts.length === 0 ? '' : `elements = { ${texts.join(', ')} }`;

/** What the guard of the bridge knows. */
export interface GuardOptions {
  /** What running pods have, as nft(8) writes elements. */
  cables: readonly string[];
  identities: readonly string[];
  /** The bridge's own addresses: all that pods talk to directly. */
  gateway: string;
  hardwareAddress: string;
}

/** What each cable may say it is, and that it talks to the machine alone, which routes on; see `PortGuard`, which adds and removes elements as pods come and go. */
function guardRuleset(table: string, { cables, identities, gateway, hardwareAddress }: GuardOptions) {
  return `
add table bridge ${table}
delete table bridge ${table}
table bridge ${table} {
  set ${cableSet} {
    type ifname
    ${elements(cables)}
  }
  set ${identitySet} {
    type ifname . ether_addr . ipv4_addr
    ${elements(identities)}
  }
  chain from-pods {
    type filter hook prerouting priority -300; policy accept;
    iifname != @${cableSet} accept
    ether type ip ether daddr ${hardwareAddress} iifname . ether saddr . ip saddr @${identitySet} accept
    ether type arp arp daddr ip ${gateway} arp htype 1 arp ptype ip iifname . ether saddr . arp saddr ip @${identitySet} iifname . arp saddr ether . arp saddr ip @${identitySet} accept
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
function ownAddresses(): string {
  const all = Object.values(networkInterfaces()).flatMap((addresses) => addresses ?? []);
  const ipv4 = all
    .filter(({ family, internal }) => family === 'IPv4' && !internal)
    .map(({ address }) => address);
  return ['127.0.0.0/8', ...new Set(ipv4)].join(', ');
}

/** Installs the table by a run of nft(8), at the runtime's start only. Throws `RuntimeError` UNAVAILABLE. */
export async function setUpTable(options: TableOptions): Promise<void> {
  try {
    await runNft(ruleset(options, 'fib daddr type local'));
  } catch (error) {
    await runNft(ruleset(options, `ip daddr { ${ownAddresses()} }`)).catch((reason) => {
      throw new RuntimeError('UNAVAILABLE', `the pod network's table: ${messageOf(reason)}`, {
        cause: reason,
      });
    });
    options.logger.warn('the kernel lacks nft_fib: host ports answer on the addresses of now only', {
      error: messageOf(error),
    });
  }
}

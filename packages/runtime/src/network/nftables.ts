import { spawn } from 'node:child_process';
import { networkInterfaces } from 'node:os';
import type { Logger } from '@wherry/telemetry';
import { messageOf, RuntimeError } from '../errors.ts';

/** Names inside the node's tables. */
export const hostPortMap = 'host-ports';
export const hostAddressPortMap = 'host-address-ports';
export const cableSet = 'cables';
export const identitySet = 'identities';

/**
 * The node's own nftables table: pods' traffic to the outside carries the node's address; packets for a host port
 * go to its pod; nothing from a pod reaches the machine's loopback, and ranges that nothing answers for are refused at
 * once, before something outside does. The maps are filled element by element as pods come and go. One transaction
 * replaces a table that an earlier run left, so that nothing is without rules in between.
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
    ct status dnat oifname "${bridgeName}" ip saddr { 127.0.0.0/8, ${podCidr} } masquerade
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

/** What each cable may say it is; see `PortGuard`, which adds and removes elements as pods come and go. */
function guardRuleset(table: string, pinned: { cables: readonly string[]; identities: readonly string[] }) {
  return `
add table bridge ${table}
delete table bridge ${table}
table bridge ${table} {
  set ${cableSet} {
    type ifname
    ${elements(pinned.cables)}
  }
  set ${identitySet} {
    type ifname . ether_addr . ipv4_addr
    ${elements(pinned.identities)}
  }
  chain from-pods {
    type filter hook prerouting priority -300; policy accept;
    iifname != @${cableSet} accept
    ether type ip iifname . ether saddr . ip saddr @${identitySet} accept
    ether type arp arp htype 1 arp ptype ip iifname . ether saddr . arp saddr ip @${identitySet} iifname . arp saddr ether . arp saddr ip @${identitySet} accept
    drop
  }
}
`;
}

/** Installs the bridge's table with what running pods have, in one step. Throws `RuntimeError` UNAVAILABLE. */
export async function setUpGuardTable(
  table: string,
  pinned: { cables: readonly string[]; identities: readonly string[] },
): Promise<void> {
  await runNft(guardRuleset(table, pinned)).catch((error) => {
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
    await runNft(ruleset(options, `ip daddr { ${ownAddresses()} }`));
    options.logger.warn('the kernel lacks nft_fib: host ports answer on the addresses of now only', {
      error: messageOf(error),
    });
  }
}

async function runNft(rules: string): Promise<void> {
  const child = spawn('nft', ['-f', '-'], { stdio: ['pipe', 'ignore', 'pipe'] });
  let complaint = '';
  child.stderr.on('data', (chunk: Buffer) => {
    complaint += chunk.toString();
  });
  child.stdin.on('error', () => {});
  child.stdin.end(rules);
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', resolve);
  }).catch((error: Error) => {
    throw new RuntimeError('UNAVAILABLE', `nft cannot be run; install nftables: ${error.message}`, {
      cause: error,
    });
  });
  if (code !== 0)
    throw new RuntimeError('UNAVAILABLE', `nft refused the pod network's table: ${complaint.trim()}`);
}

import { createHash } from 'node:crypto';
import type { DnsPeer } from '../objects/dns-peer.ts';
import { openChain, sets } from './names.ts';

/** What the table of one node is made of. */
export interface TableOptions {
  table: string;
  /** The bridge that the node's pods are plugged into. */
  bridgeName: string;
  dns: DnsPeer | undefined;
}

/** The name of an empty chain that tells which rules a table holds. */
export const versionChain = (options: TableOptions): string =>
  `rules-${createHash('sha256').update(body(options)).digest('hex').slice(0, 16)}`;

/**
 * The rules that never change: what does is in the sets, and in the chains of policies. One transaction replaces what an
 * earlier run left; until pods are known none of them has new connections.
 */
export const ruleset = (options: TableOptions): string => `
add table ip ${options.table}
delete table ip ${options.table}
table ip ${options.table} {
  chain ${versionChain(options)} {}
${body(options)}
}
`;

/**
 * What leaves a pod for another is judged twice, first as going out and then as coming in: an `accept` ends one chain of
 * a hook, and the next goes on. All comes after the translation of addresses. The machine's own connections to pods
 * pass the output hook alone, and are not judged.
 */
function body({ bridgeName, dns }: TableOptions): string {
  const servers = (dns?.ports ?? []).map(({ protocol, port }) =>
    [dns?.address, protocol.toLowerCase(), port].join(' . '),
  );
  const elements = servers.length === 0 ? '' : `elements = { ${servers.join(', ')} }`;
  return `
  map ${sets.ingress} { type ipv4_addr : verdict; }
  map ${sets.egress} { type ipv4_addr : verdict; }
  set ${sets.itself} { type ipv4_addr . ipv4_addr; }
  set ${sets.closed} { type ifname; elements = { "${bridgeName}" } }
  set ${sets.dns} { type ipv4_addr . inet_proto . inet_service; ${elements} }
  chain ${openChain} {
    accept
  }
  chain from-pods {
    ct state established,related accept
    ip saddr . ip daddr @${sets.itself} accept
    ip saddr vmap @${sets.egress}
    iifname @${sets.closed} drop
  }
  chain to-pods {
    ct state established,related accept
    ip saddr . ip daddr @${sets.itself} accept
    ip daddr vmap @${sets.ingress}
    oifname @${sets.closed} drop
  }
  chain to-machine {
    type filter hook input priority filter; policy accept;
    iifname "${bridgeName}" goto from-pods
  }
  chain leaving {
    type filter hook forward priority filter; policy accept;
    iifname "${bridgeName}" goto from-pods
  }
  chain arriving {
    type filter hook forward priority filter + 10; policy accept;
    oifname "${bridgeName}" goto to-pods
  }
`;
}

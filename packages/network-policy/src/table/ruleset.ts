import { type AddressFamily, type VersionedRules, versionedRules } from '@wherry/linux';
import type { DnsPeer } from '../objects/dns-peer.ts';
import { openChain, sets } from './names.ts';

const addressTypes = { ip: 'ipv4_addr', ip6: 'ipv6_addr' } as const;

/** What the table of one node is made of, for one family of addresses. */
export interface TableOptions {
  family: AddressFamily;
  table: string;
  /** The bridge that the node's pods are plugged into. */
  bridgeName: string;
  dns: DnsPeer | undefined;
}

/**
 * The rules that never change: what does is in the sets, and in the chains of policies. One transaction replaces what an
 * earlier run left; until pods are known none of them has new connections.
 */
export const ruleset = (options: TableOptions): VersionedRules =>
  versionedRules({ family: options.family, name: options.table }, body(options));

/**
 * What leaves a pod for another is judged twice, first as going out and then as coming in: an `accept` ends one chain of
 * a hook, and the next goes on. All comes after the translation of addresses. The machine's own connections to pods
 * pass the output hook alone, and are not judged.
 */
function body({ family, bridgeName, dns }: TableOptions): string {
  const address = addressTypes[family];
  const servers = (dns?.ports ?? []).map(({ protocol, port }) =>
    [dns?.address, protocol.toLowerCase(), port].join(' . '),
  );
  const elements = servers.length === 0 ? '' : `elements = { ${servers.join(', ')} }`;
  return `
  map ${sets.ingress} { type ${address} : verdict; }
  map ${sets.egress} { type ${address} : verdict; }
  set ${sets.itself} { type ${address} . ${address}; }
  set ${sets.closed} { type ifname; elements = { "${bridgeName}" } }
  set ${sets.dns} { type ${address} . inet_proto . inet_service; ${elements} }
  chain ${openChain} {
    accept
  }
  chain from-pods {
    ct state established,related accept
    ${family} saddr . ${family} daddr @${sets.itself} accept
    ${family} saddr vmap @${sets.egress}
    iifname @${sets.closed} drop
  }
  chain to-pods {
    ct state established,related accept
    ${family} saddr . ${family} daddr @${sets.itself} accept
    ${family} daddr vmap @${sets.ingress}
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
